/** A token that is fetched once and shared: renewed before its end, and after it was refused. */
import type { TokenSource } from './types.ts';

export interface FetchedToken {
  value: string;
  /** Milliseconds that it lives. */
  lifeMs: number;
}

/** A token is renewed so long before its end, at most a fifth of its life (milliseconds). */
const MARGIN_MS = 60_000;
/** A token that is refused so soon is not renewed: the next one would be refused too, and fetching them is limited. */
const YOUNG_MS = 10_000;

/**
 * For systems that give us a token for our own credentials (OAuth2 between servers).
 * @param fetchToken asks the system for a token
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

  /** All who ask meanwhile share one fetch. */
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
      // It is still good: a system that does not give a new one at the moment is asked again by the next call.
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
