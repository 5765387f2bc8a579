/** A shared token: fetched once, and renewed before its end or after a refusal. */
import type { TokenSource } from './types.ts';

export interface FetchedToken {
  value: string;
  /** Lifetime in milliseconds. */
  lifeMs: number;
}

/** How long before its expiry a token is renewed, at most a fifth of its lifetime (milliseconds). */
const MARGIN_MS = 60_000;
/** A token refused this soon is not renewed: the next would be refused too, and fetching tokens is limited. */
const YOUNG_MS = 10_000;

/**
 * Creates a source for systems that issue tokens for the installation's credentials (OAuth2 client credentials).
 * @param fetchToken requests a token from the system
 */
export function createTokenSource(
  fetchToken: () => Promise<FetchedToken>,
  now: () => number = () => performance.now(),
): Required<TokenSource> {
  let known: { value: string; fetchedAt: number; renewAt: number; endsAt: number } | null = null;
  let running: Promise<string> | null = null;

  async function fetched(): Promise<string> {
    const { value, lifeMs } = await fetchToken();
    const fetchedAt = now();
    const renewAt = fetchedAt + lifeMs - Math.min(MARGIN_MS, lifeMs / 5);
    known = { value, fetchedAt, renewAt, endsAt: fetchedAt + lifeMs };
    return value;
  }

  /** Renews the token; concurrent callers share one fetch. */
  function renew(): Promise<string> {
    running ??= fetched().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    async value() {
      const token = known;
      if (!token || now() >= token.endsAt) return renew();
      if (now() < token.renewAt) return token.value;
      // The old token is still valid: if no new one is available now, the next call tries again.
      return renew().catch(() => token.value);
    },
    latest: () => known?.value,
    async refresh(refused) {
      if (known && known.value !== refused) return known.value;
      if (known && !running && now() - known.fetchedAt < YOUNG_MS) return null;
      return renew();
    },
  };
}
