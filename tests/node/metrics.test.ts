import { expect, test } from 'vitest';

import { HeavenError } from '../../src/index.js';
import { createMetrics } from '../../src/node/metrics.js';

test('metrics count requests, reads, calls and failures of nodes', async () => {
  const metrics = createMetrics({ droppedLogLines: () => 3, mintsReady: () => 2 });
  const request = { requestId: '', method: 'POST', durationMs: 1_500 };
  for (const status of [200, 200, 400]) metrics.request({ ...request, path: '/quote/buy', status });
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
      `heaven_rpc_node_failures_total{node="1",method="${method}"} 1`,
      'heaven_log_lines_dropped_total 3',
      'heaven_mints_ready 2',
    ]),
  );
  expect(body).toContain('\nprocess_cpu_seconds_total ');
  // Without a supply there is no metric of it.
  expect((await createMetrics().document()).body).not.toContain('heaven_mints_ready');
});
