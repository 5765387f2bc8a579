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
  /** The sandbox's identity. */
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
    ? 'your changes are kept, even when this server is restarted, until you reset it'
    : 'everything is kept in this server’s memory until you stop or reset it';
  return page(
    'Practice LMS',
    html`
<h1>A practice LMS that answers like Canvas</h1>
<p>Northbridge Business School does not exist. Try anything you like with its people, courses and enrolments:
 ${lasting}.</p>
${systems.all.map(
  (system) => html`${system.onFrontPage?.()}
`,
)}<h2>Reset</h2>
<p>A reset restores the original data under a new identity. All imports, changes and sign-ins are deleted.</p>
<form method="post" action="/sandbox/reset" enctype="application/x-www-form-urlencoded">
<button class="plain" type="submit">Reset the practice LMS</button></form>
<p>Identity: <code>${campus()}</code>. Mode: ${options.mode}. Size: ${options.size}. Import speed: ${options.importPace}${
      options.importPace === 'instant' ? '' : ' rows per second'
    }.</p>`,
  );
}
