/** The accounts below the root and who is above whom: read once for all, kept a few minutes. */
import type { Account } from '@lms-admin/contract/canvas-objects';
import { topAccounts } from '@lms-admin/domain/access';
import { ROOT_ACCOUNT_ID } from '@lms-admin/domain/constants';
import type { Admin } from '../auth/admin.ts';
import { accountAt, accountsBelow } from '../canvas/resources/accounts.ts';
import { type CanvasClient, CanvasError, type CanvasToken } from '../canvas/types.ts';
import { Shared } from '../platform/shared.ts';

export interface AccountTree {
  /** Accounts by id. */
  accounts: ReadonlyMap<number, Account>;
  /** Parent account id by account id. */
  parents: ReadonlyMap<number, number | null>;
}

export interface AccountTreeParts {
  canvas: CanvasClient;
  /** Whether a service user reads account 1; else each admin reads what lies below their own accounts. */
  hasServiceToken: boolean;
  now: () => number;
}

interface Kept {
  tree: Shared<AccountTree>;
  readAt: number;
}

const KEPT_MS = 300_000;
/** An account that is missing may be new: then the tree is read again, but not more often than this. */
const MISSING_MS = 10_000;

/** Reads and keeps the tree. */
export class AccountTrees {
  readonly #parts: AccountTreeParts;
  readonly #kept = new Map<string, Kept>();

  constructor(parts: AccountTreeParts) {
    this.#parts = parts;
  }

  /**
   * The tree as this admin needs it.
   * @param wanted an account that should be in it: when it is not, a tree that is not quite fresh is read again
   * @throws CanvasError
   */
  async tree(admin: Admin, wanted?: number, signal?: AbortSignal): Promise<AccountTree> {
    const tree = await this.#read(admin, KEPT_MS, signal);
    const missing = wanted !== undefined && !tree.accounts.has(wanted);
    return missing ? this.#read(admin, MISSING_MS, signal) : tree;
  }

  /** The same with nothing read yet. */
  afresh(): AccountTrees {
    return new AccountTrees(this.#parts);
  }

  /** Forgets what was read: another LMS answers than before. */
  forgetAll(): void {
    this.#kept.clear();
  }

  /** Shared by many readers: no reader's signal ends it, except the last one's. */
  #read(admin: Admin, maxAge: number, signal?: AbortSignal): Promise<AccountTree> {
    const { hasServiceToken, now } = this.#parts;
    const key = hasServiceToken ? 'root' : admin.login;
    const kept = this.#kept.get(key);
    if (kept && now() - kept.readAt < maxAge) return kept.tree.read(signal);
    const tops = topAccounts(admin.record);
    const roots = hasServiceToken || tops === 'all' ? [ROOT_ACCOUNT_ID] : tops;
    const tree = new Shared(
      (stop) => this.#load(admin.token, roots, stop),
      (done) => {
        if (!done && this.#kept.get(key)?.tree === tree) this.#kept.delete(key);
      },
    );
    this.#kept.set(key, { tree, readAt: now() });
    return tree.read(signal);
  }

  async #load(token: CanvasToken, roots: readonly number[], signal: AbortSignal): Promise<AccountTree> {
    const accounts = new Map<number, Account>();
    const found = await Promise.all(roots.map((root) => this.#below(token, root, signal)));
    for (const one of found.flat()) accounts.set(one.id, one);
    return {
      accounts,
      parents: new Map([...accounts.values()].map((one) => [one.id, one.parent_account_id])),
    };
  }

  /** The account itself and all accounts below it; nothing for one that does not exist. */
  async #below(token: CanvasToken, root: number, signal: AbortSignal): Promise<Account[]> {
    const reader = { canvas: this.#parts.canvas, token, signal };
    try {
      const [own, below] = await Promise.all([accountAt(reader, root), accountsBelow(reader, root)]);
      return [own, ...below];
    } catch (error) {
      const hidden = error instanceof CanvasError && (error.kind === 'not-found' || error.kind === 'refused');
      if (hidden && root !== ROOT_ACCOUNT_ID) return [];
      throw error;
    }
  }
}
