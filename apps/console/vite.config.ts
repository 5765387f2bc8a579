import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
// By its path: what has no path is left to Node, which reads no TypeScript.
import { SIS_TEMPLATES, templateText } from '../../packages/domain/src/sis-tables.ts';

const server = `http://localhost:${process.env.PORT ?? '8080'}`;
const target = { target: server, changeOrigin: true, headers: { origin: server } };
const paths = ['/api', '/best-teaching-reports', '/healthz', '/readyz', '/files'];

/** The templates of the SIS tables as files, each at its own address. */
const csvTemplates: Plugin = {
  name: 'csv-templates',
  generateBundle() {
    for (const one of SIS_TEMPLATES) {
      this.emitFile({ type: 'asset', fileName: `csv-templates/${one.file}`, source: templateText(one) });
    }
  },
  configureServer({ middlewares }) {
    for (const one of SIS_TEMPLATES) {
      middlewares.use(`/csv-templates/${one.file}`, (_, response) => {
        response.setHeader('content-type', 'text/csv; charset=utf-8').end(templateText(one));
      });
    }
  },
};

/** Schemas are parsed with here and never written down as JSON schemas: what does that is a fifth of the library. */
const noJsonSchemas: Plugin = {
  name: 'no-json-schemas',
  apply: 'build',
  load(id) {
    if (!/\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/.test(id)) return null;
    const names = [...readFileSync(id, 'utf8').matchAll(/^export (?:function|const) (\w+)/gm)];
    const none = `const none = () => { throw new Error('no JSON schemas here'); };`;
    return `${none} export { none as process, ${names.map(([, name]) => `none as ${name}`).join(', ')} };`;
  },
};

/** The theme turns ripples off everywhere: no button needs what would draw them. */
const noRipples: Plugin = {
  name: 'no-ripples',
  apply: 'build',
  load: (id) =>
    id.endsWith('/@mui/material/ButtonBase/TouchRipple.mjs') ? 'export default () => null;' : null,
};

/** Only `withTheme` of Emotion needs what copies the statics of a component, and nothing here calls it. */
const noHoisting: Plugin = {
  name: 'no-hoisting',
  apply: 'build',
  load: (id) =>
    id.endsWith('/hoist-non-react-statics/dist/hoist-non-react-statics.cjs.js')
      ? `export default () => { throw new Error('no statics are copied here'); };`
      : null,
};

/** What the first tool imports and most others too; its own file stays a script of its own. */
const FIRST_TOOL = new RegExp(
  [
    'app/shell/Shell',
    'tools/course-enrollment/(useEnrollmentWork|plan-words|texts|review-texts|enrollment-state)',
    'components/Wizard/(defineWizard|texts|wizard-\\w+)',
    'components/CoursePicker/(CoursePicker|picker-state)',
    'components/Planning/(texts|usePlan)',
    'components/Submission/importProgress',
    'components/later',
  ]
    .map((path) => `console/src/${path}\\.tsx?$`)
    .join('|'),
);
const DIALOGS =
  /@mui\/material\/(Modal|Dialog\w*|Portal|Backdrop|Fade|Grow|Slide|Unstable_TrapFocus|transitions)\//;
const FIELDS =
  /@mui\/material\/(\w*Input\w*|Form\w+|TextField|Select|NativeSelect|Menu\w*|Popover|List\w*|Checkbox|Radio\w*|Chip|IconButton|Alert|internal)\//;

/** The console as static files in `dist`; in development the back end answers through a proxy. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), csvTemplates, noJsonSchemas, noRipples, noHoisting],
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    // Every browser that runs ES2023 knows modulepreload.
    modulePreload: { polyfill: false },
    // A data: address for a small file would need a wider content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    // What may be loaded first is checked in `.size-limit.mjs`.
    chunkSizeWarningLimit: 600,
    // Which chunk needs which: read by the size check.
    manifest: true,
    // Scripts name each other: a shorter hash is a smaller first screen, and with the name before it still long enough.
    rollupOptions: {
      // A schema that a screen does not use is left out, though making it is a call.
      treeshake: { manualPureFunctions: ['z'] },
      output: {
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        // What the first screen needs comes as two scripts, not as thirty small ones for the screens to share.
        codeSplitting: {
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/ },
            { name: 'start', tags: ['$initial'] },
            // With all that these import: a tool comes as some fifteen scripts, not as eighty (docs/decisions/libraries.md).
            { name: 'tool', test: FIRST_TOOL },
            { name: 'dialogs', test: DIALOGS },
            { name: 'fields', test: FIELDS },
            { name: 'job', test: /console\/src\/components\/(Job|Notice)\// },
            {
              name: 'people',
              test: /console\/src\/components\/(PeopleLookup|ChipsInput|Name\w+|Not[A-Z]\w+)\//,
            },
            {
              name: 'review',
              test: /console\/src\/components\/(Planning|Review|Submission|\w+Progress|\w+Table|Figures)\//,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    // The server compares Origin with its own address, so the address is passed on as it would be there.
    proxy: {
      ...Object.fromEntries(paths.map((path) => [path, target])),
      // The documented address of an upload is that of a screen, too.
      '/sis-import': { ...target, bypass: ({ method, url }) => (method === 'POST' ? undefined : url) },
    },
  },
});
