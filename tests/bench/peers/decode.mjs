// Account bytes to objects. The sizes differ, so the time per byte stands beside the time per account.
import { cpAmmCoder } from '@meteora-ag/cp-amm-sdk';
import { getWhirlpoolDecoder, getWhirlpoolDiscriminatorBytes } from '@orca-so/whirlpools-client';
import { OFFLINE_PUMP_AMM_PROGRAM, PUMP_AMM_SDK } from '@pump-fun/pump-swap-sdk';
import { CpmmPoolInfoLayout, liquidityStateV4Layout } from '@raydium-io/raydium-sdk-v2';
import { PublicKey } from '@solana/web3.js';

import { decodePoolSnapshot, toSwapState } from '../../../dist/index.js';
import { decodeLiquidityPoolState, decodeProtocolConfig } from '../../../dist/program.js';
import { byName, record } from '../figures.mjs';
import {
  generator,
  grouped,
  holdToBars,
  measure,
  mustEqual,
  nanoseconds,
  ratio,
  settle,
  table,
} from './harness.mjs';
import { decodeKeyWithKit, encodeKeyWithKit } from './kit-floor.mjs';

const WHIRLPOOL_SIZE = 653;
/** So many rows of the table are not a peer's. */
const OURS = 4;

/** An account of random keys and amounts behind its discriminator. */
function account(size, discriminator = []) {
  const random = generator(size);
  const data = Buffer.alloc(size);
  for (let at = 0; at < size; at++) data[at] = Math.floor(random() * 256);
  data.set(discriminator);
  return data;
}

const AS_KEYS = 'whole account, keys as `PublicKey`, not in base58';

/** The same with each key in base58, as ours and Orca's return it. */
const withBase58 = ({ size, run }) => ({
  size,
  run: () => {
    const decoded = run();
    const keys = [];
    for (const value of Object.values(decoded)) if (value instanceof PublicKey) keys.push(value.toBase58());
    return { decoded, keys };
  },
  gives: 'whole account, keys in base58',
});

const METEORA = 'meteora cp-amm `cpAmmCoder.accounts.decode`';

const peers = {
  'orca `getWhirlpoolDecoder().decode`, decoder kept': () => {
    const data = account(WHIRLPOOL_SIZE, getWhirlpoolDiscriminatorBytes());
    const decoder = getWhirlpoolDecoder();
    mustEqual('orca tick spacing', decoder.decode(data).tickSpacing, data.readUInt16LE(41));
    return { size: WHIRLPOOL_SIZE, run: () => decoder.decode(data), gives: 'whole account, keys in base58' };
  },
  'orca `getWhirlpoolDecoder().decode`, made each time (as `decodeWhirlpool` does)': () => {
    const data = account(WHIRLPOOL_SIZE, getWhirlpoolDiscriminatorBytes());
    return {
      size: WHIRLPOOL_SIZE,
      run: () => getWhirlpoolDecoder().decode(data),
      gives: 'whole account, keys in base58',
    };
  },
  [METEORA]: () => {
    const size = cpAmmCoder.accounts.size('Pool');
    const data = account(size, cpAmmCoder.accounts.accountDiscriminator('Pool'));
    mustEqual(
      'cp-amm mint',
      Buffer.compare(
        cpAmmCoder.accounts.decode('Pool', data).token_a_mint.toBuffer(),
        data.subarray(168, 200),
      ),
      0,
    );
    return {
      size,
      run: () => cpAmmCoder.accounts.decode('Pool', data),
      gives: AS_KEYS,
    };
  },
  'raydium `CpmmPoolInfoLayout.decode`': () => {
    const size = CpmmPoolInfoLayout.span;
    const data = account(size);
    // The one flag of the layout must be 0 or 1.
    data[CpmmPoolInfoLayout.offsetOf('enableCreatorFee')] = 1;
    mustEqual(
      'raydium mint',
      Buffer.compare(CpmmPoolInfoLayout.decode(data).mintA.toBuffer(), data.subarray(168, 200)),
      0,
    );
    return {
      size,
      run: () => CpmmPoolInfoLayout.decode(data),
      gives: AS_KEYS,
    };
  },
  'raydium `liquidityStateV4Layout.decode`': () => {
    const data = account(liquidityStateV4Layout.span);
    return {
      size: data.length,
      run: () => liquidityStateV4Layout.decode(data),
      gives: AS_KEYS,
    };
  },
  'pump-swap `decodePool`': () => {
    const { size } = OFFLINE_PUMP_AMM_PROGRAM.account.pool;
    const data = account(size, OFFLINE_PUMP_AMM_PROGRAM.coder.accounts.accountDiscriminator('pool'));
    // Its flags lie behind the last key; zeros there are what a plain pool holds.
    data.fill(0, 243);
    const info = { data };
    mustEqual(
      'pump-swap mint',
      Buffer.compare(PUMP_AMM_SDK.decodePool(info).baseMint.toBuffer(), data.subarray(43, 75)),
      0,
    );
    return {
      size,
      run: () => PUMP_AMM_SDK.decodePool(info),
      gives: AS_KEYS,
    };
  },
};

/** Every key of a decoded account. */
const keysOf = (value) => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(keysOf) : [];
};

export async function decode(accounts) {
  console.log('## Decoding accounts\n');
  const { pool, protocolConfig } = accounts;
  const all = Object.values(accounts).reduce((total, { length }) => total + length, 0);
  const state = toSwapState(decodePoolSnapshot(accounts));
  mustEqual('reserve A', decodeLiquidityPoolState(pool).reserve.tokenA, state.reserveA);
  const keys = keysOf(decodeLiquidityPoolState(pool)).map(encodeKeyWithKit);
  const contestants = [
    {
      name: '**heaven-pools `toSwapState(decodePoolSnapshot(…))`**',
      size: all,
      run: () => toSwapState(decodePoolSnapshot(accounts)),
      gives: `reserves, fees in force, price feed: all that a quote reads, of five accounts (${all} bytes, not all of them read)`,
    },
    {
      name: '**heaven-pools `decodeLiquidityPoolState`**',
      size: pool.length,
      run: () => decodeLiquidityPoolState(pool),
      gives: 'whole account, keys in base58',
    },
    {
      name: '**heaven-pools `decodeProtocolConfig`**',
      size: protocolConfig.length,
      run: () => decodeProtocolConfig(protocolConfig),
      gives: 'whole account, keys in base58',
    },
    {
      name: `floor: kit \`getAddressDecoder\`, the ${keys.length} keys of our pool alone`,
      size: keys.length * 32,
      run: () => keys.map(decodeKeyWithKit),
      gives: 'keys in base58',
    },
    ...settle(peers).flatMap((peer) =>
      peer.gives === AS_KEYS
        ? [peer, { name: `${peer.name}, \`toBase58\` of its keys`, ...withBase58(peer) }]
        : [peer],
    ),
  ];
  const measured = await measure(contestants);
  record('decode', byName(measured));
  const ours = measured[1].ns / pool.length;
  table(
    [
      'contestant',
      'bytes',
      'ns per account',
      'accounts/s',
      'ns per byte',
      'our whole pool is faster, per byte',
      'what it gives',
    ],
    measured.map(({ name, ns }, index) => {
      const { size, gives } = contestants[index];
      const perByte = ns / size;
      const beside = index < OURS ? '' : ratio(perByte, ours);
      return [name, size, nanoseconds(ns), grouped(1e9 / ns), perByte.toFixed(2), beside, gives];
    }),
  );
  const [, wholePool, wholeConfig, floor] = measured;
  holdToBars(wholePool, floor, { mostNs: 120_000, mostTimes: 1.5 });
  const meteora = measured.find(({ name }) => name === METEORA);
  if (meteora !== undefined) holdToBars(wholeConfig, meteora, { mostNs: 30_000, mostTimes: 1.2 });
  console.log();
}
