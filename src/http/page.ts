import { stringifyJson } from './json.js';
import { openApiDocument } from './openapi.js';

// The API page: the OpenAPI document for people. It has no scripts and loads nothing from other hosts.

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly maximum?: unknown;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
}

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly [string];
  readonly requestBody: Content;
  readonly responses: { readonly 200: Content };
}

interface Document {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, { readonly description: string }>>;
  };
}

let page: string | undefined;

/** The API page as HTML. */
export function apiPage(): string {
  page ??= makePage(openApiDocument() as unknown as Document);
  return page;
}

function makePage({ info, tags, paths, components }: Document): string {
  const all = Object.entries(paths);
  const groups = tags.map(({ name }) => ({
    name,
    operations: all.filter(([, { post }]) => post.tags[0] === name),
  }));
  const contents = groups.map(
    ({ name, operations }) =>
      `<li>${escaped(name)}<ul>${operations
        .map(([path]) => `<li><a href="#${anchor(path)}"><code>${path}</code></a></li>`)
        .join('')}</ul></li>`,
  );
  const errors = Object.entries(components.responses).map(
    ([name, { description }]) =>
      `<tr><td>${name.replace('Error', '')}</td><td>${prose(description)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(info.title)}: HTTP interface</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escaped(info.title)}</h1>
<p>${escaped(info.description)}</p>
<p>Every path takes <code>POST</code> with <code>content-type: application/json</code>. Unknown fields are
rejected further in, and at the top of a request if their names resemble known ones; others at the top are ignored and listed in
<code>details.ignored_fields</code>. Integers over 2^53 are written with
all digits, or as strings with <code>?integers=string</code>. For tools: <a href="/openapi.json">openapi.json</a>.
Health: <a href="/healthz">healthz</a>, <a href="/readyz">readyz</a>.</p>
</header>
<nav aria-label="Paths"><ul>${contents.join('')}</ul></nav>
<main>
${groups
  .map(
    ({ name, operations }) =>
      `<h2>${escaped(name)}</h2>\n${operations.map(([path, { post }]) => section(path, post, components)).join('\n')}`,
  )
  .join('\n')}
<h2 id="errors">Errors</h2>
<p>The body is <code>{"error": {"code", "message", "details"}}</code>; <code>code</code> is stable.</p>
<table><thead><tr><th>Status</th><th>When</th></tr></thead><tbody>${errors.join('')}</tbody></table>
</main>
</body>
</html>
`;
}

function section(path: string, operation: Operation, components: Document['components']): string {
  const request = operation.requestBody.content['application/json'].schema;
  const answer = operation.responses[200].content['application/json'].schema;
  const rows = fieldsOf(answer, components).filter(({ depth }) => depth < 2);
  return `<section id="${anchor(path)}">
<h3><code>${path}</code></h3>
<p>${escaped(operation.summary)} In the SDK: <code>${operation.operationId}</code>.</p>
<h4>Request</h4>
<table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${fieldsOf(request, components).map(row).join('')}</tbody></table>
<details><summary>curl</summary><pre>${escaped(curl(path, request, components))}</pre></details>
<h4>Answer</h4>
<table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.map(row).join('')}</tbody></table>
</section>`;
}

interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly depth: number;
}

/** The fields of an object and of the objects in it, by their JSON path. */
function fieldsOf(
  given: JsonSchema,
  components: Document['components'],
  prefix = '',
  depth = 0,
): readonly Field[] {
  const { properties = {}, required = [] } = resolved(given, components);
  return Object.entries(properties).flatMap(([name, property]) => {
    const schema = { ...resolved(property, components), ...withoutReference(property) };
    const inner = resolved(schema.items ?? schema, components);
    const path = `${prefix}${name}`;
    return [
      { name: path, schema, isRequired: required.includes(name), depth },
      ...(inner.properties === undefined
        ? []
        : fieldsOf(inner, components, `${path}${schema.items ? '[]' : ''}.`, depth + 1)),
    ];
  });
}

/** The schema that a reference points to, or the one next to `null`. */
function resolved(schema: JsonSchema, components: Document['components']): JsonSchema {
  if (schema.$ref !== undefined) {
    return resolved(components.schemas[schema.$ref.slice('#/components/schemas/'.length)] ?? {}, components);
  }
  const alternative = schema.anyOf?.find(({ type }) => type !== 'null');
  return alternative === undefined
    ? schema
    : { ...resolved(alternative, components), ...withoutReference(schema) };
}

const withoutReference = ({ $ref: _, anyOf: __, ...schema }: JsonSchema): JsonSchema => schema;

function row({ name, schema, isRequired, depth }: Field): string {
  const facts = [
    isRequired ? undefined : 'optional',
    schema.default === undefined ? undefined : `default ${stringifyJson(schema.default)}`,
    schema.maximum === undefined ? undefined : `at most ${stringifyJson(schema.maximum)}`,
    schema.maxItems === undefined || schema.maxItems === schema.minItems
      ? undefined
      : `${schema.minItems ?? 0} to ${schema.maxItems} items`,
    schema.enum === undefined ? undefined : `one of ${schema.enum.join(', ')}`,
  ].filter((fact) => fact !== undefined);
  const meaning = [schema.description, facts.length > 0 ? `<small>${escaped(facts.join('; '))}</small>` : '']
    .filter(Boolean)
    .join(' ');
  return `<tr class="depth${Math.min(depth, 3)}"><td><code>${escaped(name)}</code></td><td>${typeOf(schema)}</td><td>${meaning}</td></tr>`;
}

function typeOf({ type, items }: JsonSchema): string {
  const types = (typeof type === 'string' ? [type] : (type ?? [])).filter((name) => name !== 'null');
  if (items?.type !== undefined && types[0] === 'array') return `list of ${String(items.type)}s`;
  return escaped(types.join(' or '));
}

/** Real addresses of mainnet, and of the embedded ledger. */
const SAMPLE: Readonly<Record<string, string>> = {
  program_id: '"HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o"',
  mint: '"LiGHtkg3uTa9836RaNkKLLriqTNRcMdRAhqjGWNv777"',
  config_version: '2',
  max_sol_spend: '1.5',
  slippage_bps: '50',
};

function sampleOf(name: string, given: JsonSchema, components: Document['components']): string {
  const schema = resolved(given, components);
  const sample = SAMPLE[name];
  if (sample !== undefined) return sample;
  if (schema.properties !== undefined) return sampleObject(schema, components);
  if (schema.items !== undefined) return `[${sampleOf('', schema.items, components)}]`;
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  return type === 'boolean' ? 'true' : type === 'string' ? '"…"' : '1000';
}

const sampleObject = (schema: JsonSchema, components: Document['components']): string =>
  `{${Object.entries(schema.properties ?? {})
    .filter(
      ([name]) =>
        schema.required?.includes(name) || (name === 'mint' && !('max_token_a' in (schema.properties ?? {}))),
    )
    .map(([name, property]) => `"${name}": ${sampleOf(name, property, components)}`)
    .join(', ')}}`;

const curl = (path: string, request: JsonSchema, components: Document['components']) =>
  `curl -H 'content-type: application/json' http://localhost:3000${path} -d '${sampleObject(request, components)}'`;

const anchor = (path: string) => path.slice(1).replaceAll('/', '-');

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Text in which backticks enclose code. */
const prose = (text: string) => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dde3, #39424d); --dim: light-dark(#57606a, #9aa5b1); --code: light-dark(#f2f4f7, #1c232b); --link: light-dark(#0b57d0, #8ab4f8); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; font: 16px/1.5 system-ui, sans-serif; display: grid; gap: 0 2.5rem; grid-template-columns: minmax(0, 1fr); background: light-dark(#fff, #12171d); color: light-dark(#1b1f24, #e6eaef); }
a { color: var(--link); }
code, pre { font: 0.875em/1.45 ui-monospace, monospace; }
pre { background: var(--code); padding: 0.75rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; border-radius: 6px; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav > ul > li { font-weight: 600; margin-bottom: 0.75rem; }
nav li li { font-weight: 400; }
nav a { text-decoration: none; }
section { border-top: 1px solid var(--line); padding-top: 0.5rem; margin-bottom: 2rem; }
h2 { margin: 2rem 0 0.5rem; }
h3 { margin: 0.75rem 0; }
h3 code { font-size: 1.1rem; }
h4 { margin: 1rem 0 0.25rem; }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 1rem 0.3rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--dim); font-weight: 500; font-size: 0.875rem; }
td:first-child { white-space: nowrap; }
td:last-child { width: 100%; min-width: 14rem; }
.depth1 td:first-child { padding-left: 1rem; }
.depth2 td:first-child { padding-left: 2rem; }
.depth3 td:first-child { padding-left: 3rem; }
small { color: var(--dim); }
summary { cursor: pointer; margin-top: 0.5rem; }
@media (min-width: 60rem) {
  body { grid-template-columns: 17rem minmax(0, 1fr); }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; font-size: 0.9rem; }
}
`;
