import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

import { createHandler } from '../../src/http/index.js';
import { createHeavenClient, HeavenError } from '../../src/index.js';
import { declare } from '../../src/node/commands/serve.js';
import { createMetrics } from '../../src/node/metrics.js';
import { createEmbeddedLedger } from '../../src/testing/index.js';
import { instructions } from './dockerfile.js';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

// ---------------------------------------------------------------- what the server takes

const program = new Command();
declare(program);
/** The environment variables of `heaven-pools serve`, with the defaults. */
const OPTIONS = new Map(
  program.commands[0]?.options.map(({ envVar, defaultValue }) => [envVar ?? '', defaultValue]),
);
const FLAGS = program.commands[0]?.options.map(({ long }) => long) ?? [];

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
  const { bin } = JSON.parse(read('package.json'));
  expect(textsOf('CMD')).toEqual([
    JSON.stringify(['node', bin['heaven-pools'].slice(2), 'serve']).replaceAll(',', ', '),
  ]);
  // What CI installs and builds with, and only then less.
  const [install = '', build = '', ...rest] = textsOf('RUN');
  expect(read('.ci/run').split('\n')).toEqual(expect.arrayContaining([install, build]));
  expect(rest).toEqual(['npm prune --omit=dev']);
  // One image in both stages, named by its content, with a Node that CI uses too.
  const [image, ...others] = textsOf('FROM').map((text) => text.replace(/ AS build$/, ''));
  expect(others).toEqual([image]);
  const [, major = ''] = /^node:(\d+)\.[\w.-]+@sha256:[0-9a-f]{64}$/.exec(image ?? '') ?? [];
  expect(parse(read('.github/workflows/ci.yml')).jobs.all.strategy.matrix.node).toContain(major);
});

test('the image runs without root, listens on all interfaces, and has a health check', async () => {
  expect(textsOf('USER')).toEqual(['1000:1000']);
  expect(imageEnvironment).toEqual({ HOST: '0.0.0.0', PORT: String(OPTIONS.get('PORT')) });
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
  // Any pod answers any request.
  expect(service.spec).not.toHaveProperty('sessionAffinity');
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

// ---------------------------------------------------------------- one machine

interface ComposeService {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
}
interface ComposeServer extends ComposeService {
  readonly build: { readonly dockerfile: string };
  readonly deploy: { readonly replicas: number };
  readonly stop_grace_period: string;
}
const compose = parse(read('examples/deploy/compose.yaml'), { uniqueKeys: true }) as {
  readonly services: Readonly<Record<'caddy' | 'redis' | 'prometheus', ComposeService>> & {
    readonly server: ComposeServer;
  };
  readonly volumes: object;
};
const caddyfile = read('examples/deploy/Caddyfile');
const serverEnvironment = compose.services.server.environment ?? {};

test('the servers of the compose file have options that exist, and share what they limit', () => {
  const names = Object.keys(serverEnvironment);
  expect(names.filter((name) => !OPTIONS.has(name))).toEqual([]);
  expect(Number(serverEnvironment.RATE_LIMIT)).toBeGreaterThan(0);
  expect(Object.keys(compose.services)).toContain(
    new URL(serverEnvironment.RATE_LIMIT_REDIS_URL ?? '').hostname,
  );
  const { build, deploy, stop_grace_period: grace } = compose.services.server;
  expect(existsSync(new URL(build.dockerfile, root))).toBe(true);
  expect(deploy.replicas).toBeGreaterThan(1);
  expect(Number.parseInt(grace, 10) * 1000).toBeGreaterThan(Number(OPTIONS.get('GRACE_MS')));
});

test('only Caddy can be reached from outside, and it asks for a key', () => {
  const open = Object.entries(compose.services).flatMap(([name, { ports = [] }]) =>
    ports.filter((port) => !port.startsWith('127.0.0.1:')).map(() => name),
  );
  expect([...new Set(open)]).toEqual(['caddy']);
  const [, host, port] = /dynamic a (\w+) (\d+)/.exec(caddyfile) ?? [];
  expect([host, port]).toEqual(['server', imageEnvironment.PORT]);
  // Caddy alone is in front, and adds the caller's address.
  expect(serverEnvironment.TRUSTED_PROXIES).toBe('1');
  const used = [...caddyfile.matchAll(/\{\$(\w+)\}/g)].map(([, name]) => name).sort();
  expect(used).toEqual(Object.keys(compose.services.caddy.environment ?? {}).sort());
  const [, key = ''] = /not header (\S+) \{\$API_KEY\}/.exec(caddyfile) ?? [];
  expect(serverEnvironment.CORS_HEADERS?.split(',')).toContain(key.toLowerCase());
});

test('every file and volume that the compose file mounts exists', () => {
  for (const { volumes = [] } of Object.values(compose.services))
    for (const [source = ''] of volumes.map((volume) => volume.split(':')))
      if (source.startsWith('.'))
        expect(existsSync(new URL(`examples/deploy/${source}`, root)), source).toBe(true);
      else expect(compose.volumes).toHaveProperty(source);
});

// ---------------------------------------------------------------- monitoring

test('Prometheus asks the servers on the port of their metrics', () => {
  const { rule_files, scrape_configs } = parse(read('examples/deploy/prometheus.yaml'));
  const [{ names, port }] = scrape_configs[0].dns_sd_configs;
  expect([names, String(port)]).toEqual([['server'], serverEnvironment.METRICS_PORT]);
  for (const file of rule_files) expect(existsSync(new URL(`examples/deploy/${file}`, root))).toBe(true);
});

test('every alert is about a metric, with labels, that the server exports', async () => {
  const metrics = createMetrics({ droppedLogLines: () => 0, mintsReady: () => 0 });
  metrics.request({ requestId: '', method: 'GET', path: '/', status: 500, durationMs: 1 });
  metrics.nodeFailure({ node: 0, method: '', reason: '', cooldownMs: 0 });
  const error = new HeavenError('rpc-behind', '', { method: '', minContextSlot: 1n });
  metrics.read({ type: 'call', method: 'getLatestBlockhash', durationMs: 1, error });
  const { body } = await metrics.document();
  const { groups } = parse(read('examples/deploy/alerts.yaml'));
  const expressions: readonly string[] = groups[0].rules.map(({ expr }: { expr: string }) => expr);
  expect(expressions.length).toBeGreaterThan(3);
  for (const expression of expressions.filter((text) => !text.startsWith('up{'))) {
    const selectors = [...expression.matchAll(/(heaven_\w+)(?:\{(\w+)=~?"([^"]+)"\})?/g)];
    expect(selectors, expression).not.toEqual([]);
    for (const [, name = '', label, value = ''] of selectors) {
      const samples = body
        .split('\n')
        .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
      const wanted = label === undefined ? /./ : new RegExp(`\\b${label}="${value}"`);
      expect(
        samples.some((sample) => wanted.test(sample)),
        `${expression}: ${name}`,
      ).toBe(true);
    }
    for (const [, labels = ''] of expression.matchAll(/\bby \((\w+)\)/g))
      if (labels !== 'instance') expect(body, expression).toContain(`${labels}="`);
  }
});

// ---------------------------------------------------------------- systemd

test('the unit starts the server with options that exist, and gives it time to stop', () => {
  const unit = read('examples/deploy/heaven-pools.service');
  const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  const [node, script = '', subcommand, ...args] = command.split(' ');
  const { bin } = JSON.parse(read('package.json'));
  expect([node, subcommand]).toEqual(['/usr/bin/node', 'serve']);
  expect(script.endsWith(`/node_modules/heaven-pools/${bin['heaven-pools'].slice(2)}`)).toBe(true);
  const flags = args.filter((argument) => argument.startsWith('--'));
  expect(flags.filter((flag) => !FLAGS.includes(flag))).toEqual([]);
  const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]);
  expect(seconds * 1000).toBeGreaterThan(Number(OPTIONS.get('GRACE_MS')));
  // V8 compiles to memory that it then runs.
  expect(unit).not.toContain('MemoryDenyWriteExecute');
});

const hasSystemd = existsSync('/usr/bin/systemd-analyze');
test.runIf(hasSystemd)('systemd takes the unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unit-'));
  const path = join(folder, 'heaven-pools.service');
  writeFileSync(
    path,
    read('examples/deploy/heaven-pools.service').replace('/usr/bin/node', process.execPath),
  );
  const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(stderr.split('\n').filter((line) => line.includes('heaven-pools.service'))).toEqual([]);
});
