import { expect, test } from 'vitest';

import { version } from '../../package.json';
import { HeavenError } from '../../src/index.js';
import { createMetrics } from '../../src/node/metrics.js';

test('metrics count requests, reads, calls and failures, and say how the server and its nodes do', async () => {
  const metrics = createMetrics({
    mintsReady: () => 2,
    waiting: () => 5,
    inWork: () => 4,
    nodes: () => [
      { cooldownMs: 0, slotsBehind: 0 },
      { cooldownMs: 1_500, slotsBehind: 30 },
    ],
    hosts: ['one.example', 'two.example:8899'],
  });
  const request = { requestId: '', method: 'POST', durationMs: 1_500 };
  for (const status of [200, 200, 400]) metrics.request({ ...request, path: '/quote/buy', status });
  metrics.request({ ...request, path: '/', status: 429, code: 'rate-limited' });
  metrics.request({ ...request, path: '/', status: 499, code: 'aborted' });
  metrics.request({ ...request, path: '/', status: 502, code: 'rpc-failed', error: new Error('x') });
  metrics.fallback();
  metrics.droppedLine();
  const method = 'getMultipleAccounts';
  metrics.read({ type: 'read', method, from: 'cache' });
  metrics.read({ type: 'call', method, durationMs: 250, slot: 411n });
  const error = new HeavenError('rpc-behind', '', { method, minContextSlot: 1n });
  metrics.read({ type: 'call', method, durationMs: 250, error });
  metrics.nodeFailure({ node: 1, method, reason: '', cooldownMs: 0 });

  const { headers, body } = await metrics.document();
  expect(headers).toMatchObject({ 'content-type': expect.stringMatching(/^text\/plain; version=0\.0\.4/) });
  const lines = body.split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'heaven_http_requests_total{path="/quote/buy",status="200"} 2',
      'heaven_http_requests_total{path="/quote/buy",status="400"} 1',
      // Prometheus' unit is the second.
      'heaven_http_request_duration_seconds_sum{path="/quote/buy"} 4.5',
      `heaven_reads_total{method="${method}",from="cache"} 1`,
      `heaven_rpc_calls_total{method="${method}",outcome="ok"} 1`,
      `heaven_rpc_calls_total{method="${method}",outcome="behind"} 1`,
      `heaven_rpc_call_duration_seconds_sum{method="${method}"} 0.5`,
      'heaven_rpc_slot 411',
      `heaven_rpc_node_failures_total{node="1",host="two.example:8899",method="${method}"} 1`,
      'heaven_rpc_node_cooldown_seconds{node="0",host="one.example"} 0',
      'heaven_rpc_node_cooldown_seconds{node="1",host="two.example:8899"} 1.5',
      'heaven_rpc_node_slots_behind{node="1",host="two.example:8899"} 30',
      'heaven_http_requests_waiting 5',
      'heaven_http_requests_in_work 4',
      'heaven_rate_limit_fallbacks_total 1',
      `heaven_build_info{version="${version}"} 1`,
      'heaven_log_lines_dropped_total 1',
      'heaven_mints_ready 2',
    ]),
  );
  const refused = lines.filter((line) => line.startsWith('heaven_http_requests_refused_total{'));
  expect(refused).toEqual(['heaven_http_requests_refused_total{reason="rate-limited"} 1']);
  expect(body).toContain('\nprocess_cpu_seconds_total ');
  // Without nodes and a supply there are no metrics of them.
  const { body: without } = await createMetrics().document();
  expect(without).not.toMatch(/heaven_mints_ready|heaven_rpc_node_cooldown/);
});
