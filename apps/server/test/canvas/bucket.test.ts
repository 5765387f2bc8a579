/** A token's bucket on its own: cases that cannot be produced over HTTP. */
import { afterEach, expect, test, vi } from 'vitest';
import { Bucket } from '../../src/canvas/bucket.ts';

afterEach(() => vi.restoreAllMocks());

const THROTTLED = { remaining: null, throttled: true, waitMs: 20 };

test('a call that waits for the end of a pause is served even if the pause ends between two readings of the clock', async () => {
  const real = performance.now.bind(performance);
  // The clock jumps ahead each time it is read, so that the pause ends just before one of the readings.
  for (let reading = 1; reading <= 8; reading++) {
    const bucket = new Bucket(4);
    const slot = await bucket.acquire({});
    slot.release(THROTTLED);
    let readings = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => real() + (++readings >= reading ? 60_000 : 0));
    const next = await bucket.acquire({}, AbortSignal.timeout(10_000));
    expect(next).toBeDefined();
    vi.restoreAllMocks();
  }
});
