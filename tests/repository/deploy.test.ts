import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

import { HeavenError } from '../../src/index.js';
import { declare } from '../../src/node/commands/serve.js';
import { createMetrics } from '../../src/node/metrics.js';

// What the files in examples/deploy say to the server and ask of it exists.

const read = (name: string) =>
  readFileSync(new URL(`../../examples/deploy/${name}`, import.meta.url), 'utf8');

const program = new Command();
declare(program);
const options = program.commands[0]?.options ?? [];
const variables = options.map(({ envVar }) => envVar);
const flags = options.map(({ long }) => long);
const graceMs = options.find(({ envVar }) => envVar === 'GRACE_MS')?.defaultValue;

const { services } = parse(read('compose.yaml'), { merge: true });
const { server } = services;
const resources = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS());
const deployment = resources.find(({ kind }) => kind === 'Deployment');
const { spec: pod, metadata } = deployment.spec.template;
const [container] = pod.containers;
const unit = read('heaven-pools.service');
const variablesOfPod: readonly { readonly name: string; readonly value?: string }[] = container.env;
const variablesOfImage = [...(/^ENV (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '').matchAll(/(\w+)=/g)];

const flagsOfUnit = /^ExecStart=.*$/m.exec(unit)?.[0].match(/(?<= )--[\w-]+/g) ?? [];
test.each([
  ['environment variable of the image', variablesOfImage.map(([, name]) => name), variables],
  ['environment variable of the cluster', variablesOfPod.map(({ name }) => name), variables],
  ['environment variable of the compose file', Object.keys(server.environment), variables],
  ['flag of the systemd unit', flagsOfUnit, flags],
])('each %s is an option of the server', (_, names, known) => {
  expect(names.length).toBeGreaterThan(1);
  expect(known).toEqual(expect.arrayContaining(names));
});

test.each([
  ['systemd', Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])],
  ['compose', Number.parseInt(server.stop_grace_period, 10)],
  ['the cluster', pod.terminationGracePeriodSeconds - container.lifecycle.preStop.exec.command[1]],
])('%s gives requests in flight their time', (_, seconds) => {
  expect(seconds * 1_000).toBeGreaterThan(graceMs);
});

test('the cluster limits callers behind its proxy, over all pods', () => {
  const settings = Object.fromEntries(variablesOfPod.map(({ name, value }) => [name, value]));
  expect(Number(settings.RATE_LIMIT)).toBeGreaterThan(0);
  expect(settings.TRUSTED_PROXIES).toBe('1');
  const { hostname, port } = new URL(settings.RATE_LIMIT_REDIS_URL ?? '');
  const redis = resources.find(({ kind, metadata: { name } }) => kind === 'Service' && name === hostname);
  expect(redis.spec.ports[0].port).toBe(Number(port));
});

test('applying the files again overwrites no secret, and leaves the number of pods to the autoscaler', () => {
  expect(resources.map(({ kind }) => kind)).not.toContain('Secret');
  expect(deployment.spec).not.toHaveProperty('replicas');
  // Its target is a share of one core, which is what a server uses.
  expect(container.resources.requests.cpu).toBe('1');
});

test.each(Object.keys(services))(
  'compose lets %s write nothing else, gain no rights and fill no memory',
  (name) => {
    const hardened = {
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: '512m',
    };
    expect(services[name]).toMatchObject({ ...hardened, restart: 'unless-stopped' });
  },
);

test('a page can read why it is refused without a key', () => {
  expect(read('Caddyfile')).toMatch(/header access-control-allow-origin \*\n\s+respond .* 401/);
});

test('the cluster asks for paths that the server has, on its ports', () => {
  const portOf = (name: string) =>
    String(container.ports.find((port: { readonly name: string }) => port.name === name).containerPort);
  const settingOf = (name: string) => variablesOfPod.find((variable) => variable.name === name)?.value;
  expect([portOf('http'), portOf('metrics')]).toEqual([settingOf('PORT'), settingOf('METRICS_PORT')]);
  expect(metadata.annotations['prometheus.io/port']).toBe(settingOf('METRICS_PORT'));
  expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
  for (const probe of [container.startupProbe, container.livenessProbe])
    expect(probe.httpGet).toEqual({ path: '/healthz', port: 'http' });
});

test('every alert is about a metric, with labels, that the server exports', async () => {
  const none = () => 0;
  const nodes = () => [{ cooldownMs: 0, slotsBehind: 0 }];
  const metrics = createMetrics({ mintsReady: none, waiting: none, inWork: none, nodes });
  const request = { requestId: '', method: 'GET', path: '/', durationMs: 1 };
  metrics.request({ ...request, status: 500 });
  metrics.request({ ...request, status: 503, code: 'overloaded' });
  metrics.nodeFailure({ node: 0, method: '', reason: '', cooldownMs: 0 });
  const error = new HeavenError('rpc-behind', '', { method: '', minContextSlot: 1n });
  metrics.read({ type: 'call', method: 'getLatestBlockhash', durationMs: 1, error });
  const { body } = await metrics.document();
  const { groups } = parse(read('alerts.yaml'));
  const expressions: readonly string[] = groups[0].rules.map(({ expr }: { readonly expr: string }) => expr);
  const selectors = expressions.flatMap((text) => [
    ...text.matchAll(/(heaven_\w+)(?:\{(\w+)=~?"([^"]+)"\})?/g),
  ]);
  expect(selectors.length).toBeGreaterThan(5);
  for (const [selector, name = '', label, value] of selectors) {
    const labels = label === undefined ? '' : `\\{.*\\b${label}="${value}"`;
    expect(body, selector).toMatch(new RegExp(`^${name}${labels}`, 'm'));
  }
});
