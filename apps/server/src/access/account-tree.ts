/** Accounts below the root and the parent of each: read once for all readers and kept for a few minutes. */
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
  /** Whether a service user can read account 1. Otherwise each admin reads the accounts below their own. */
  hasServiceToken: boolean;
  now: () => number;
}

interface Kept {
  tree: Shared<AccountTree>;
  readAt: number;
}

const KEPT_MS = 300_000;
/** A missing account may be new, so the tree is read again, but at most once in this time. */
const MISSING_MS = 10_000;

/** Reads the account tree and caches it. */
export class AccountTrees {
  readonly #parts: AccountTreeParts;
  readonly #kept = new Map<string, Kept>();

  constructor(parts: AccountTreeParts) {
    this.#parts = parts;
  }

  /**
   * Returns the tree that this admin needs.
   * @param wanted an account that should be in the tree; if it is missing, a tree older than `MISSING_MS` is read again
   * @throws CanvasError
   */
  async tree(admin: Admin, wanted?: number, signal?: AbortSignal): Promise<AccountTree> {
    const tree = await this.#read(admin, KEPT_MS, signal);
    const missing = wanted !== undefined && !tree.accounts.has(wanted);
    return missing ? this.#read(admin, MISSING_MS, signal) : tree;
  }

  /** Returns the same service with an empty cache. */
  withoutCache(): AccountTrees {
    return new AccountTrees(this.#parts);
  }

  /** Clears the cache when a different LMS answers. */
  forgetAll(): void {
    this.#kept.clear();
  }

  /** Shares one read between many readers; it is aborted only when the last reader leaves. */
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

  /** Reads an account and all accounts below it, or an empty list if it does not exist. */
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
