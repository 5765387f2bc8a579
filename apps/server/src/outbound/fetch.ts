/** Outbound requests as a `fetch`, for libraries that implement a protocol themselves. */
import type { OutboundAnswer } from './answer.ts';
import type { OutboundFetch, OutboundRequest } from './types.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** Statuses whose `Response` may have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** @throws TypeError for another origin, or an unsupported method or body; otherwise like `request` */
export function fetchOver(
  origin: string,
  request: (outboundRequest: OutboundRequest) => Promise<OutboundAnswer>,
): OutboundFetch {
  return async (address, init) => {
    const url = new URL(address);
    if (url.origin !== origin) throw new TypeError(`only ${origin} can be called from here`);
    const method = METHODS.find((one) => one === init.method.toUpperCase());
    if (!method) throw new TypeError(`the method ${init.method} is not known`);
    const body = bodyOf(init.body);
    const answer = await request({
      method,
      path: url.pathname + url.search,
      headers: init.headers,
      ...(body === undefined ? {} : { body }),
      ...(init.signal ? { signal: init.signal } : {}),
    });
    const content = WITHOUT_BODY.has(answer.status) ? null : new Uint8Array(answer.body);
    return new Response(content, { status: answer.status, headers: answer.headers() });
  };
}

function bodyOf(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('a body that is neither text nor bytes');
}
