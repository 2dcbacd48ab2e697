import { html, raw } from 'hono/html';
import type { core } from 'zod/mini';
import { parseJson, stringifyJson } from '../base/json.js';
import type { HttpDocument } from './exchange.js';
import { openApiText } from './openapi.js';
import { hashOf } from './unchanging.js';

// The page at `/` shows the OpenAPI document to people and calls its paths for them. It loads nothing from other hosts.

type Schema = core.JSONSchema.BaseSchema;
type Body = { readonly content: { 'application/json': { schema: Schema; example?: unknown } } };
type Operation = Record<'operationId' | 'summary', string> & {
  readonly tags: readonly string[];
  readonly requestBody: Body;
  readonly responses: { readonly 200: Body };
};

interface Document {
  readonly info: Record<'title' | 'description', string>;
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Record<string, { readonly post: Operation }>;
  readonly components: Record<'schemas' | 'responses', Record<string, Schema>>;
}

const POLICY =
  "default-src 'none'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const GUIDE = 'https://www.npmjs.com/package/heaven-pools';
let document: Document | undefined;

/** The page, with the headers to serve it with. */
export async function apiPage(): Promise<HttpDocument> {
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${POLICY}; script-src 'sha256-${await hashOf(script())}'; style-src 'sha256-${await hashOf(STYLE)}'`,
      'x-content-type-options': 'nosniff',
    },
    body: `${await htmlOf(documented())}`,
  };
}

function documented(): Document {
  document ??= parseJson(openApiText()) as Document;
  return document;
}

function htmlOf({ info, tags, paths, components }: Document) {
  const groups = tags.map(({ name }) => {
    const own = Object.entries(paths).filter(([, { post }]) => post.tags[0] === name);
    const links = own.map(([path]) => html`<li><a href="#${anchor(path)}"><code>${path}</code></a></li>`);
    return { name, links, sections: own.map(([path, { post }]) => section(path, post)) };
  });
  const errors = Object.entries(components.responses).map(
    ([name, { description }]) =>
      html`<div><dt><code>${name.replace('Error', '')}</code></dt><dd>${prose(description)}</dd></div>`,
  );
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}: HTTP interface</title><link rel="icon" href="data:,">
<style>${raw(STYLE)}</style></head>
<body><header><h1>${info.title}</h1>
<p>${prose(info.description)}</p>
<p><a href="${GUIDE}">Guide</a> <a href="openapi.json">OpenAPI</a> <a href="healthz">Health</a> <a href="readyz">Readiness</a></p></header>
<nav aria-label="Paths"><details open><summary>Paths</summary>
${groups.map(({ name, links }) => html`<b>${name}</b><ul>${links}</ul>`)}
<a href="#errors"><b>Errors</b></a></details></nav>
<main>${groups.map(({ name, sections }) => html`<h2>${name}</h2>${sections}`)}
<h2 id="errors">Errors</h2><dl>${errors}</dl></main>
<script>${raw(script())}</script></body></html>`;
}

function section(path: string, { operationId, summary, requestBody, responses }: Operation) {
  const { schema, example = {} } = requestBody.content['application/json'];
  const answer = responses[200].content['application/json'].schema;
  return html`<section id="${anchor(path)}" data-path="${path.slice(1)}">
<div><h3><code>${path}</code></h3>
<p>${prose(summary)} In the SDK: <code>${operationId}</code>.</p>
${fields(schema)}
<details><summary>Fields of the answer</summary>${fields(answer)}</details></div>
<div class="try"><label><code>POST ${path}</code>
<textarea spellcheck="false" autocapitalize="off">${stringifyJson(example)}</textarea></label>
<button type="button" class="send">Send</button> <button type="button" class="copy">Copy as curl</button>
<p role="status"></p><pre></pre></div></section>`;
}

/** The fields of an object, required ones first. Those of the objects in it unfold. */
function fields(given: unknown): ReturnType<typeof html> {
  const { properties = {}, required = [] } = resolve(given);
  const names = new Set([...required, ...Object.keys(properties)]);
  const rows = [...names].map((name) => {
    const schema = resolve(properties[name]);
    const inner = resolve(schema.items ?? schema);
    const presence = required.includes(name) ? html`<b>required</b>` : 'optional';
    const limits = limitsOf(schema).map((limit) => `, ${limit}`);
    return html`<div><dt><code>${name}</code> <small>${typeOf(schema)}, ${presence}${limits}</small></dt>
<dd>${prose(schema.description)}
${inner.properties && html`<details><summary>Fields of ${name}</summary>${fields(inner)}</details>`}</dd></div>`;
  });
  return html`<dl>${rows}</dl>`;
}

/** A schema with everything that it refers to, and with its alternatives. */
function resolve(given: unknown): Schema {
  const { $ref, anyOf = [], ...own } = given as Schema;
  const referred = $ref ? [documented().components.schemas[$ref.split('/').at(-1) ?? '']] : [];
  const parts = [...[...referred, ...anyOf].map(resolve), own];
  return Object.assign({}, ...parts, { type: [...new Set(parts.flatMap(({ type = [] }) => type))] });
}

const typeOf = ({ type = [], items }: Schema): string =>
  items === undefined
    ? [type].flat().join(' or ').replace(' or null', '')
    : `list of ${typeOf(resolve(items))}`;

const LIMITS = {
  minimum: 'min',
  maximum: 'max',
  maxItems: 'max items',
  enum: 'one of',
  'x-default': 'default',
};
const limitsOf = (schema: Schema) =>
  Object.entries(LIMITS)
    .filter(([keyword]) => schema[keyword] !== undefined && `${keyword} ${schema[keyword]}` !== 'minimum 0')
    .map(([keyword, word]) => `${word} ${stringifyJson(schema[keyword])}`);

const anchor = (path: string) => path.slice(1).replaceAll('/', '-');

/** Text in which backticks enclose code. */
const prose = (text = '') => text.split('`').map((part, at) => (at % 2 ? html`<code>${part}</code>` : part));

/** A function, because bundlers keep a tagged template, and the remote client doesn't need it. */
const script = () => String.raw`
// A server may serve the page under a prefix, without a slash at the end. Paths are relative to it.
if (!location.pathname.endsWith('/')) history.replaceState(null, '', location.pathname + '/' + location.hash);
document.querySelector('nav details').open = matchMedia('(min-width: 60rem)').matches;
function format(text) {
  // Numbers stay as they are written: a JavaScript number would round integers over 2^53.
  const exact = (_, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value);
  try {
    return JSON.stringify(JSON.parse(text, exact), null, 2);
  } catch {
    return text;
  }
}
for (const section of document.querySelectorAll('section')) {
  const [input, status, output] = ['textarea', '[role=status]', 'pre'].map((name) => section.querySelector(name));
  const url = new URL(section.dataset.path, document.baseURI);
  const show = (message, text, isGood) => {
    Object.assign(status, { textContent: message, className: isGood ? 'good' : 'bad' });
    output.textContent = text;
  };
  input.value = format(input.value);
  input.rows = Math.min(input.value.split('\n').length, 20);
  section.querySelector('.send').onclick = async () => {
    const started = performance.now();
    try {
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: input.value });
      const text = format(await response.text());
      const took = Math.round(performance.now() - started) + ' ms';
      show([response.status, response.statusText, took].join(' '), text, response.ok);
    } catch (error) {
      show('No answer: ' + error.message, '', false);
    }
  };
  section.querySelector('.copy').onclick = () => {
    const body = "'" + input.value.replaceAll("'", "'\\''") + "'";
    const command = "curl '" + url + "' -H 'content-type: application/json' -d " + body;
    show(navigator.clipboard ? 'Copied' : 'Copy this command', command, true);
    navigator.clipboard?.writeText(command).catch(() => show('Copy this command', command, true));
  };
}
`;

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dde3, #39424d); --dim: light-dark(#57606a, #9aa5b1); --card: light-dark(#f2f4f7, #1c232b); --page: light-dark(#fff, #12171d); --text: light-dark(#1b1f24, #e6eaef); --link: light-dark(#0b57d0, #8ab4f8); --good: light-dark(#176f2c, #56d364); --bad: light-dark(#b42318, #ff8a80); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 90rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; background: var(--page); color: var(--text); overflow-wrap: anywhere; }
a { color: var(--link); margin-right: 1rem; }
header p { max-width: 50rem; }
code, pre, textarea { font-family: ui-monospace, monospace; font-size: 0.875em; line-height: 1.45; }
nav ul { list-style: none; margin: 0 0 0.75rem; padding: 0; font-size: 0.9rem; }
nav a { display: block; padding: 0.15rem 0; text-decoration: none; }
section { display: grid; gap: 1rem 2.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 25rem), 1fr)); border-top: 1px solid var(--line); padding: 1rem 0 2rem; }
h3, dl, dd { margin: 0; }
dl div { border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
dd dl { border-left: 2px solid var(--line); padding-left: 0.75rem; }
small { color: var(--dim); font-size: 0.875rem; }
summary { cursor: pointer; padding: 0.25rem 0; color: var(--link); }
.try { align-self: start; padding: 1rem; border-radius: 8px; background: var(--card); }
.try p, pre { margin: 0.75rem 0 0; white-space: pre-wrap; }
textarea { display: block; field-sizing: content; width: 100%; max-height: 30rem; margin: 0.5rem 0; padding: 0.5rem; border: 1px solid var(--dim); border-radius: 6px; background: var(--page); color: inherit; }
button { font: inherit; padding: 0.35rem 0.9rem; border: 1px solid var(--link); border-radius: 6px; background: none; color: var(--link); cursor: pointer; }
.send { background: var(--link); color: var(--page); }
.good { color: var(--good); }
.bad { color: var(--bad); }
@media (pointer: coarse) { textarea { font-size: 1rem; } }
@media (min-width: 60rem) {
  body { display: grid; gap: 0 2.5rem; grid-template-columns: 17rem minmax(0, 1fr); }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1rem 0; }
  nav summary { display: none; }
}
`;
