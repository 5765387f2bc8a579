/** The few pages of the sandbox: plain HTML without scripts, readable without styles. */

/** Text that is already HTML. */
export type Html = { html: string };

type Shown = string | number | boolean | null | undefined | Html | Shown[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Renders a template: escapes values, joins lists, keeps nested templates. */
export function html(parts: TemplateStringsArray, ...values: Shown[]): Html {
  return { html: parts.map((part, at) => part + (at < values.length ? show(values[at]) : '')).join('') };
}

function show(value: Shown): string {
  if (value === null || value === undefined || value === false) return '';
  if (Array.isArray(value)) return value.map(show).join('');
  if (typeof value === 'object') return value.html;
  return String(value).replace(/[&<>"']/g, (mark) => ESCAPES[mark] ?? mark);
}

const STYLE = `
:root { color-scheme: light; --green: #17463b; --teal: #0f766e; --line: #d5dedb; --soft: #f3f7f5; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1c2724; background: var(--soft); }
header { background: var(--green); color: #fff; }
header p, main { max-width: 62rem; margin: 0 auto; padding: 1rem; }
header p { font-weight: 600; }
main { padding: 1.5rem 1rem 3rem; }
.card > :first-child { margin-top: 0; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
.card { background: #fff; border: 1px solid var(--line); border-radius: 10px; padding: 1.25rem; margin: 1rem 0;
  overflow-wrap: anywhere; }
.people { list-style: none; margin: .75rem 0; padding: 0; display: grid; gap: .6rem;
  grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); }
.people li { display: flex; }
.people span { min-width: 0; }
.people button { width: 100%; display: flex; gap: .8rem; align-items: center; text-align: left; font: inherit;
  color: inherit; background: #fff; border: 1px solid var(--line); border-radius: 10px; padding: .7rem; cursor: pointer; }
.people button:hover { border-color: var(--teal); background: #f0faf7; }
.people img { width: 2.75rem; height: 2.75rem; border-radius: 50%; flex: none; }
.people strong, .people small { display: block; }
.people small { color: #4a5955; overflow-wrap: anywhere; }
.button, .plain { font: inherit; border-radius: 8px; padding: .6rem 1.2rem; cursor: pointer; }
.button { background: var(--teal); color: #fff; border: 1px solid var(--teal); font-weight: 600; }
.plain { background: #fff; color: var(--green); border: 1px solid #7d918b; }
.row { display: flex; flex-wrap: wrap; gap: .8rem; align-items: end; margin-top: 1rem; }
label { display: block; font-weight: 600; margin-bottom: .25rem; }
input, select, textarea { font: inherit; padding: .55rem .7rem; border: 1px solid #7d918b; border-radius: 8px; width: 20rem; max-width: 100%; }
table { border-collapse: collapse; width: 100%; background: #fff; font-size: .95rem; }
caption { text-align: left; color: #4a5955; padding-bottom: .4rem; }
th, td { text-align: left; padding: .45rem .7rem; border-bottom: 1px solid var(--line); vertical-align: top; }
.scroll { overflow-x: auto; }
code { background: #e8efec; border-radius: 4px; padding: .1rem .3rem; }
:focus-visible { outline: 3px solid #f0a500; outline-offset: 2px; }
.alert { border-left: 4px solid #b3261e; background: #fdecea; padding: .6rem .9rem; border-radius: 4px; }
a { color: #0b5f58; }
`;

/** Renders a complete page. */
export function page(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Northbridge practice LMS</title>
<link rel="icon" href="data:,">
<style>${{ html: STYLE }}</style>
</head>
<body>
<header><p>Northbridge Business School · practice LMS</p></header>
<main>
${body}
</main>
</body>
</html>
`.html;
}
