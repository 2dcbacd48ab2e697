import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';

import { createMetrics } from '../../src/node/metrics.js';

// Prometheus' own tool on the metrics and the alerts. CI installs it; elsewhere the tests are skipped without it.

const promtool = (args: readonly string[], input = '') => {
  const { error, status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return error ?? { status, said: (stdout + stderr).trim() };
};
const isMissing = !process.env.CI && promtool(['--version']) instanceof Error;

test.skipIf(isMissing)('promtool finds nothing in the metrics (needs promtool)', async () => {
  const metrics = createMetrics({
    waiting: () => 0,
    inWork: () => 0,
    mintsReady: () => 0,
    nodes: () => [{ cooldownMs: 0, slotsBehind: 0 }],
    hosts: ['one.example'],
  });
  const { body } = await metrics.document();
  expect(promtool(['check', 'metrics'], body)).toEqual({ status: 0, said: '' });
});

const file = fileURLToPath(new URL('../../examples/deploy/alerts.yaml', import.meta.url));
const NODE = 'instance="a",node="1",host="two.example"';
const standing = 'heaven_rpc_slot{instance="a"}';
const calls = 'heaven_rpc_calls_total{instance="a",outcome="ok"}';
const paths = (status: number) => `heaven_http_requests_total{instance="a",path="/",status="${status}"}`;
const bucket = (le: string) =>
  `heaven_http_request_duration_seconds_bucket{instance="a",path="/",le="${le}"}`;
const refused = (reason: string) =>
  `heaven_http_requests_refused_total{instance="a",path="/",reason="${reason}"}`;
const build = (instance: string, version: string) =>
  `heaven_build_info{instance="${instance}",version="${version}"}`;

type Series = Readonly<Record<string, string>>;
/** For each alert, values every 15 seconds with which it fires within the minutes, and ones with which it doesn't. */
const ALERTS: Readonly<Record<string, readonly [minutes: number, fires: Series, not: Series]>> = {
  ServerDown: [2, { 'up{job="heaven-pools",instance="a"}': '0x40' }, { 'up{job="other"}': '0x40' }],
  Errors: [
    11,
    { [paths(502)]: '0+2x100', [paths(200)]: '0+98x100' },
    { [paths(499)]: '0+40x100', [paths(200)]: '0+60x100' },
  ],
  Late: [
    11,
    { [bucket('1')]: '0+98x100', [bucket('2.5')]: '0+100x100', [bucket('+Inf')]: '0+100x100' },
    { [bucket('1')]: '0+100x100', [bucket('2.5')]: '0+100x100', [bucket('+Inf')]: '0+100x100' },
  ],
  Overloaded: [5, { [refused('overloaded')]: '0+1x40' }, { [refused('rate-limited')]: '0+100x40' }],
  LimitNotShared: [
    5,
    { 'heaven_rate_limit_fallbacks_total{instance="a"}': '0+1x40' },
    { 'heaven_rate_limit_fallbacks_total{instance="a"}': '5x40' },
  ],
  NodesBehind: [
    5,
    { 'heaven_rpc_calls_total{instance="a",outcome="behind"}': '0+1x40' },
    { [calls]: '0+9x40' },
  ],
  NodeBehind: [
    6,
    { [`heaven_rpc_node_slots_behind{${NODE}}`]: '20x40' },
    {
      [`heaven_rpc_node_slots_behind{${NODE}}`]:
        '20 0 20 0 20 0 20 0 20 0 20 0 20 0 20 0 20 0 20 0 20 0 20 0 20',
    },
  ],
  // Once a minute it is asked, and fails.
  NodeFails: [
    8,
    { [`heaven_rpc_node_cooldown_seconds{${NODE}}`]: '15 0 0 0 '.repeat(9).trim() },
    { [`heaven_rpc_node_cooldown_seconds{${NODE}}`]: '15 0x40' },
  ],
  SlotStands: [
    6,
    { [standing]: '411x40', [calls]: '0+1x40' },
    // Nobody asks.
    { [standing]: '411x40', [calls]: '7x40' },
  ],
  NoMints: [6, { heaven_mints_ready: '0x40' }, { heaven_mints_ready: '1 0x30' }],
  LogLost: [
    1,
    { 'heaven_log_lines_dropped_total{instance="a"}': '0 5x10' },
    { 'heaven_log_lines_dropped_total{instance="a"}': '5x10' },
  ],
  TwoVersions: [
    62,
    { [build('a', '1')]: '1x260', [build('b', '2')]: '1x260' },
    { [build('a', '1')]: '1x260', [build('b', '1')]: '1x260' },
  ],
};

test('each alert is tried here', () => {
  const { groups } = parse(readFileSync(file, 'utf8'));
  const names = groups[0].rules.map(({ alert }: { readonly alert: string }) => alert);
  expect(Object.keys(ALERTS)).toEqual(names);
});

test.skipIf(isMissing).each(Object.entries(ALERTS))(
  '%s fires when it should (needs promtool)',
  (name, [minutes, ...states]) => {
    const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
    // How many alerts fire; promtool would want their every label and text.
    const tests = states.map((series, index) => ({
      interval: '15s',
      input_series: Object.entries(series).map(([key, values]) => ({ series: key, values })),
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${name}",alertstate="firing"}) or vector(0)`,
          eval_time: `${minutes}m`,
          exp_samples: [{ labels: '{}', value: index === 0 ? 1 : 0 }],
        },
      ],
    }));
    const path = join(folder, 'test.yaml');
    writeFileSync(path, stringify({ rule_files: [file], evaluation_interval: '15s', tests }));
    const result = promtool(['test', 'rules', path]);
    rmSync(folder, { recursive: true });
    expect(result).toMatchObject({ status: 0 });
  },
);
