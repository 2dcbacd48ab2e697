// How smoothly the chart of the example page moves in Chromium: npm run bench:frames. Each scene runs for a while; the figures are
// frames a second beside those of the same page at rest, as a machine under load gives fewer to any page, and the
// processor time of the page's main thread per frame, which is what the page can do about it. A frame at 60 a second has 16.7 ms.
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../../tests/support/chromium.js';
import { servePage } from './page.js';

const SECONDS = Number(process.env.SECONDS ?? 4);

const executablePath = findChromium();
if (executablePath === undefined) throw new Error('There is no Chromium: set CHROMIUM_PATH.');
const [browser, served] = await Promise.all([
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] }),
  servePage(),
]);
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
// What tsx adds to functions that keep their names.
await page.addInitScript('globalThis.__name = (given) => given');
await page.goto(`${served.url}?time=paused`);
await page.locator('.trades tbody tr').first().waitFor();
await page.getByRole('radio', { name: '5m', exact: true }).check({ force: true });
await page.locator('.chart canvas').first().waitFor();
const session = await page.context().newCDPSession(page);
// Its own time, whatever else runs on the machine.
await session.send('Performance.enable', { timeDomain: 'threadTicks' });

/** What runs in the page in each frame of a scene. The figures count from 0. */
const SCENES: Readonly<Record<string, string>> = {
  'at rest': '',
  'crosshair moves': `move(200 + Math.abs((frame * 7) % 600 - 300), 80 + (frame % 90))`,
  'drag pans': `if (frame === 0) down(100, 120); move(100 + Math.abs((frame * 9) % 800 - 400), 120)`,
  'wheel zooms': `wheel(Math.sin(frame / 30) * 30)`,
  'prices change, 20 a second': `if (frame % 3 === 0) trade()`,
  'trades arrive, one a second': `if (frame % 60 === 0) buy()`,
  'all that, crosshair moves': `move(200 + (frame * 5) % 300, 100); if (frame % 3 === 0) trade(); if (frame % 60 === 0) buy()`,
};

const run = (page: Page, body: string) =>
  page.evaluate(
    async ([code, seconds]) => {
      const chart = document.querySelector('.chart') as HTMLElement;
      const { left, top } = chart.getBoundingClientRect();
      const target = document.elementFromPoint(left + 200, top + 100) as HTMLElement;
      const at = (x: number, y: number) => ({
        clientX: left + x,
        clientY: top + y,
        bubbles: true,
      });
      const tools = {
        move: (x: number, y: number) => target.dispatchEvent(new MouseEvent('mousemove', at(x, y))),
        down: (x: number, y: number) => target.dispatchEvent(new MouseEvent('mousedown', at(x, y))),
        wheel: (deltaY: number) =>
          target.dispatchEvent(new WheelEvent('wheel', { ...at(300, 100), deltaY, ctrlKey: true })),
        // A tenth of a percent up or down, as a trade does to the pool.
        trade: () => {
          const { ledger } = globalThis as unknown as {
            ledger: {
              slot: bigint;
              setSlot(slot: bigint): void;
              pools: { community: { pool: string } };
              setReserves(pool: string, reserves: { tokenB: bigint }): void;
            };
          };
          ledger.setSlot(ledger.slot + 1n);
          const tokenB = 115_000_000_000n + (ledger.slot % 100n) * 115_000_000n;
          ledger.setReserves(ledger.pools.community.pool, { tokenB });
        },
        // Somebody else trades: it is signed, lands, and shows up in the list and in the chart.
        buy: () =>
          [...document.querySelectorAll('button')]
            .find(({ textContent }) => /5 SOL buy/.test(textContent))
            ?.click(),
      };
      const step = new Function('frame', ...Object.keys(tools), code as string);
      const times: number[] = [];
      await new Promise<void>((resolve) => {
        const tick = (now: number) => {
          times.push(now);
          if (now - (times[0] as number) >= (seconds as number) * 1_000) return resolve();
          step(times.length - 1, ...Object.values(tools));
          requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
      });
      target.dispatchEvent(new MouseEvent('mouseup', at(0, 0)));
      return times;
    },
    [body, SECONDS] as const,
  );

async function metricsOf(from: CDPSession): Promise<Readonly<Record<string, number>>> {
  const { metrics } = await from.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

let atRest = 0;
console.log(
  'scene                            frames/s  of rest  median    p95   worst  over 33 ms  main thread per frame',
);
for (const [name, body] of Object.entries(SCENES)) {
  await run(page, body); // warm
  const before = await metricsOf(session);
  const times = await run(page, body);
  const after = await metricsOf(session);
  const gaps = times.slice(1).map((time, index) => time - (times[index] as number));
  const rate = gaps.length / (((times.at(-1) as number) - (times[0] as number)) / 1_000);
  atRest ||= rate;
  const work = (((after.TaskDuration ?? 0) - (before.TaskDuration ?? 0)) * 1_000) / gaps.length;
  const late = gaps.filter((gap) => gap > 33.4).length;
  const sorted = [...gaps].sort((a, b) => a - b);
  const shares = [0.5, 0.95, 1].map((share) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  const spread = shares.map((gap) => gap.toFixed(1).padStart(7)).join('');
  console.log(
    `${name.padEnd(32)} ${rate.toFixed(1).padStart(8)} ${`${((rate / atRest) * 100).toFixed(0)} %`.padStart(8)} ${spread} ${String(late).padStart(11)} ${`${work.toFixed(2)} ms`.padStart(22)}`,
  );
}
await browser.close();
await served.close();
