/** The page at `/`: introduces the sandbox and its systems, and offers a reset. */

import type { FastifyPluginAsync } from 'fastify';
import type { SandboxOptions } from '../config.ts';
import { html, page } from './html.ts';
import type { Systems } from './systems.ts';

export type FrontPageParts = {
  systems: Systems;
  options: SandboxOptions;
  /** Whether state survives restarts. */
  remembers: boolean;
  /** Identity of the sandbox. */
  campus: () => string;
};

export function frontPageRoutes(parts: FrontPageParts): FastifyPluginAsync {
  return async (app) => {
    app.get('/', (_request, reply) =>
      reply.header('content-type', 'text/html; charset=utf-8').send(frontPage(parts)),
    );
  };
}

function frontPage({ systems, options, remembers, campus }: FrontPageParts): string {
  const lasting = remembers
    ? 'what you do is remembered, also when this server is started again, until a reset brings the first day back'
    : 'all of it lives in the memory of this server, and a reset brings the first day back';
  return page(
    'Practice LMS',
    html`
<h1>A practice LMS that answers like Canvas</h1>
<p>Northbridge Business School does not exist. Try what you like with its people, courses and enrolments:
 ${lasting}.</p>
${systems.all.map(
  (system) => html`${system.onFrontPage?.()}
`,
)}<h2>Start again</h2>
<p>A reset puts the seed back, as a new campus: imports, changes and sign-ins are gone.</p>
<form method="post" action="/sandbox/reset" enctype="application/x-www-form-urlencoded">
<button class="plain" type="submit">Reset to the first day</button></form>
<p>Campus: <code>${campus()}</code>. Mode: ${options.mode}. Size: ${options.size}. Pace of imports: ${options.importPace}${
      options.importPace === 'instant' ? '' : ' rows a second'
    }.</p>`,
  );
}
