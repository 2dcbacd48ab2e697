import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

import { createHandler } from '../../src/http/index.js';
import { createHeavenClient } from '../../src/index.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { instructions } from './dockerfile.js';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

// ---------------------------------------------------------------- what the server takes

const serveCommand = read('src/node/commands/serve.ts');

/** The environment variables that are options of `heaven-pools serve`, with the defaults of the numbers. */
const OPTIONS = new Map(
  [...serveCommand.matchAll(/(?:'--[^']+',\s*|\.env\()'([A-Z_]+)'(?:,\s*(\d[\d_]*))?/g)].map(
    ([, name = '', fallback]) => [name, fallback?.replaceAll('_', '')],
  ),
);

test('the options are found', () => {
  expect([...OPTIONS.keys()]).toEqual(
    expect.arrayContaining(['RPC_URL', 'HOST', 'CORS_ORIGINS', 'LOG_LEVEL']),
  );
  expect(serveCommand).toContain(".command('serve')");
  expect(OPTIONS.size).toBe(serveCommand.match(/^ {4}(?:text\(|number\(|new Option\()/gm)?.length);
  expect([OPTIONS.get('PORT'), OPTIONS.get('GRACE_MS')]).toEqual(['3000', '10000']);
});

// ---------------------------------------------------------------- the image

const textsOf = (name: string) =>
  instructions.filter((instruction) => instruction.name === name).map(({ text }) => text);
const imageEnvironment = Object.fromEntries(
  textsOf('ENV').flatMap((text) => text.split(' ').map((pair) => pair.split('='))),
) as Readonly<Record<string, string>>;

test('the image is built from files that exist and are not ignored', () => {
  const rules = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(rules[0]).toBe('*');
  const letIn = rules.slice(1).map((rule) => rule.replace(/^!/, ''));
  for (const path of letIn) expect([path, existsSync(new URL(path, root))]).toEqual([path, true]);

  const copied = textsOf('COPY').filter((text) => !text.startsWith('--from='));
  const sources = copied.flatMap((text) => text.split(' ').slice(0, -1));
  expect([...new Set(sources)].sort()).toEqual([...letIn].sort());
});

test('the image takes what the build stage makes', () => {
  const taken = textsOf('COPY').filter((text) => text.startsWith('--from=build'));
  expect(taken).toEqual([
    '--from=build /app/node_modules ./node_modules',
    '--from=build /app/dist ./dist',
    '--from=build /app/THIRD-PARTY-NOTICES.md ./',
  ]);
  const { bin, engines, scripts } = JSON.parse(read('package.json'));
  expect(textsOf('CMD')).toEqual([
    JSON.stringify(['node', bin['heaven-pools'].slice(2), 'serve']).replaceAll(',', ', '),
  ]);
  for (const [, script = ''] of textsOf('RUN')
    .join('\n')
    .matchAll(/npm run (\w+)/g))
    expect(scripts).toHaveProperty(script);
  const least = Number(/\d+/.exec(engines.node)?.[0]);
  for (const from of textsOf('FROM'))
    expect(Number(/^node:(\d+)-slim/.exec(from)?.[1])).toBeGreaterThanOrEqual(least);
});

test('the image runs without root, listens on all interfaces, and has a health check', async () => {
  expect(textsOf('USER')).toEqual(['1000:1000']);
  expect(imageEnvironment).toEqual({ HOST: '0.0.0.0', PORT: OPTIONS.get('PORT') });
  expect(textsOf('EXPOSE')).toEqual([imageEnvironment.PORT]);
  const [check = ''] = textsOf('HEALTHCHECK');
  expect(check).toContain("'http://127.0.0.1:' + process.env.PORT + '/healthz'");
  expect(await statusOf('/healthz')).toBe(200);
});

// ---------------------------------------------------------------- the cluster

interface Container {
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }[];
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly resources: { readonly requests: object; readonly limits: object };
  readonly securityContext: object;
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly containers: readonly [Container];
}
type Named<T> = T & {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
};

const manifests = parseAllDocuments(read('examples/deploy/kubernetes.yaml')).map((document) => {
  expect([document.errors, document.warnings]).toEqual([[], []]);
  return document.toJS() as Named<object>;
});
const manifest = <T>(kind: string) => manifests.find((one) => one.kind === kind) as Named<T>;

const deployment = manifest<{
  readonly spec: {
    readonly replicas: number;
    readonly selector: { readonly matchLabels: object };
    readonly template: {
      readonly metadata: { readonly labels: object; readonly annotations: Readonly<Record<string, string>> };
      readonly spec: PodSpec;
    };
  };
}>('Deployment');
const { template } = deployment.spec;
const [container] = template.spec.containers;
const settingOf = (name: string) => container.env.find((variable) => variable.name === name)?.value;
const portOf = (name: string) => container.ports.find((port) => port.name === name)?.containerPort;

async function statusOf(path: string): Promise<number> {
  const { rpc } = await createEmbeddedLedger();
  const handler = createHandler({ client: createHeavenClient({ rpc }) });
  return (await handler(new Request(`http://pod${path}`))).status;
}

test('every object exists once, in any namespace', () => {
  expect(manifests.map(({ kind }) => kind)).toEqual([
    'Secret',
    'Deployment',
    'Service',
    'PodDisruptionBudget',
    'HorizontalPodAutoscaler',
  ]);
  for (const { metadata } of manifests)
    expect([metadata.name, metadata.namespace]).toEqual(['heaven-pools', undefined]);
});

test('every environment variable is an option of the server', () => {
  const names = [...container.env.map(({ name }) => name), ...Object.keys(imageEnvironment)];
  expect(names).toEqual(expect.arrayContaining(['RPC_URL', 'PORT', 'METRICS_PORT', 'HOST']));
  expect(names.filter((name) => !OPTIONS.has(name))).toEqual([]);
});

test('the nodes are a secret', () => {
  const secret = manifest<{ readonly stringData: Readonly<Record<string, string>> }>('Secret');
  expect(container.env.find(({ name }) => name === 'RPC_URL')).toEqual({
    name: 'RPC_URL',
    valueFrom: { secretKeyRef: { name: secret.metadata.name, key: 'RPC_URL' } },
  });
  expect(new URL(secret.stringData.RPC_URL ?? '').hostname).toBe('rpc.example.com');
});

test('the probes ask for paths that are served, on the port that is', async () => {
  const { readinessProbe, livenessProbe } = container;
  expect([readinessProbe.httpGet, livenessProbe.httpGet]).toEqual([
    { path: '/readyz', port: 'http' },
    { path: '/healthz', port: 'http' },
  ]);
  for (const { httpGet } of [readinessProbe, livenessProbe]) expect(await statusOf(httpGet.path)).toBe(200);
});

test('the ports agree', () => {
  const { annotations } = template.metadata;
  const service = manifest<{
    readonly spec: { readonly ports: readonly { readonly port: number; readonly targetPort: string }[] };
  }>('Service');
  expect([String(portOf('http')), settingOf('PORT')]).toEqual([imageEnvironment.PORT, imageEnvironment.PORT]);
  expect([String(portOf('metrics')), annotations['prometheus.io/port']]).toEqual([
    settingOf('METRICS_PORT'),
    settingOf('METRICS_PORT'),
  ]);
  expect(settingOf('METRICS_PORT')).not.toBe(settingOf('PORT'));
  expect(service.spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
  expect(annotations['prometheus.io/path']).toBe('/metrics');
  expect(read('src/node/serve.ts')).toContain("'/metrics': metrics.document");
});

test('requests in flight have their time when a pod stops', () => {
  const [command, seconds] = container.lifecycle.preStop.exec.command;
  expect(command).toBe('sleep');
  const graceMs = Number(settingOf('GRACE_MS') ?? OPTIONS.get('GRACE_MS'));
  expect(template.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(
    Number(seconds) * 1000 + graceMs,
  );
});

test('a pod may do no more than it has to', () => {
  expect(template.spec).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000 },
  });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(Object.keys(container.resources.requests)).toEqual(['cpu', 'memory']);
  expect(container.resources.limits).toHaveProperty('memory');
});

test('every object selects the same pods, and some of them always serve', () => {
  const { matchLabels } = deployment.spec.selector;
  expect(template.metadata.labels).toEqual(matchLabels);
  expect(manifest<{ readonly spec: object }>('Service').spec).toMatchObject({ selector: matchLabels });
  expect(manifest<{ readonly spec: object }>('PodDisruptionBudget').spec).toEqual({
    minAvailable: 1,
    selector: { matchLabels },
  });
  const { spec } = manifest<{ readonly spec: { readonly minReplicas: number } }>('HorizontalPodAutoscaler');
  expect(spec).toMatchObject({ scaleTargetRef: { kind: 'Deployment', name: deployment.metadata.name } });
  expect([deployment.spec.replicas, spec.minReplicas]).toEqual([2, 2]);
});
