import { parentPort, workerData } from 'node:worker_threads';

import { grindMintKey } from '../standard/grind-mint-address.js';

// The worker of a mint supply: finds one key for each message.
parentPort?.on('message', async () => {
  parentPort?.postMessage(await grindMintKey({ suffix: workerData.suffix }));
});
