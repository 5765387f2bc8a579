import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
// Imported by path: Node would resolve an import by package name, and Node cannot read TypeScript.
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

/** Schemas are used for parsing and never written as JSON schemas: the code for that is a fifth of the library. */
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

/** The theme turns ripples off everywhere, so no button needs the code that draws them. */
const noRipples: Plugin = {
  name: 'no-ripples',
  apply: 'build',
  load: (id) =>
    id.endsWith('/@mui/material/ButtonBase/TouchRipple.mjs') ? 'export default () => null;' : null,
};

/** Only Emotion's `withTheme` copies the statics of a component, and nothing here calls it. */
const noHoisting: Plugin = {
  name: 'no-hoisting',
  apply: 'build',
  load: (id) =>
    id.endsWith('/hoist-non-react-statics/dist/hoist-non-react-statics.cjs.js')
      ? `export default () => { throw new Error('no statics are copied here'); };`
      : null,
};

/** The imports of the first tool and of most others; its own file stays a separate script. */
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

/** The console as static files in `dist`; in development, a proxy forwards requests to the back end. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), csvTemplates, noJsonSchemas, noRipples, noHoisting],
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    // Every browser with ES2023 supports modulepreload.
    modulePreload: { polyfill: false },
    // A data: address for a small file would need a wider content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    // `.size-limit.mjs` limits the size of the first scripts.
    chunkSizeWarningLimit: 600,
    // Dependencies between chunks, read by the size check.
    manifest: true,
    // Scripts name each other: a shorter hash makes the first screen smaller, and is still long enough.
    rollupOptions: {
      // Leaves out schemas that a screen does not use, although creating one is a call.
      treeshake: { manualPureFunctions: ['z'] },
      output: {
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        // The first screen loads two scripts instead of thirty small ones shared between screens.
        codeSplitting: {
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/ },
            { name: 'start', tags: ['$initial'] },
            // With all their imports: a tool is some fifteen scripts, not eighty (docs/decisions/libraries.md).
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
    // The server compares Origin with its own address, so the proxy passes on the address that it would have there.
    proxy: {
      ...Object.fromEntries(paths.map((path) => [path, target])),
      // The documented address of an upload is also that of a screen.
      '/sis-import': { ...target, bypass: ({ method, url }) => (method === 'POST' ? undefined : url) },
    },
  },
});
