import type { Command } from 'commander';

import type { HeavenClient, SettledAssumption } from '../../index.js';
import { type ClusterSettings, clusterOptions, type JsonSettings, settingsOf } from './options.js';
import {
  CommandError,
  describeFailure,
  type Output,
  printable,
  standardOutput,
  UsageError,
} from './output.js';
import { assertNewFile, storeFile } from './store-file.js';

interface CheckSettings extends ClusterSettings, JsonSettings {
  /** The file to write the resulting deployment to. */
  readonly write?: string | undefined;
}

/** Declares `heaven-pools check`. */
export function declare(program: Command): void {
  clusterOptions(
    program
      .command('check')
      .description(
        'Verifies on a live cluster what the library assumes about the program, without spending anything. Exit code 0: nothing refuted, 1: something is, 2: the cluster can not be read, or wrong usage.',
      ),
  )
    .option('--write <file>', 'write the deployment that check found, for --deployment')
    .action(async (_, command: Command) => {
      process.exitCode = await check(settingsOf(command));
    });
}

const WORDS = { confirmed: 'confirmed', refuted: 'REFUTED', unknown: 'could not tell' } as const;
const NOTHING_REFUTED = 0;
const SOMETHING_REFUTED = 1;
const CANNOT_READ = 2;

/**
 * Checks the assumptions on a cluster, prints a line for each, and returns the exit code: 0 if nothing is refuted, 1 if
 * something is, 2 if the cluster can't be read.
 */
export async function check(settings: CheckSettings, output: Output = standardOutput): Promise<0 | 1 | 2> {
  const { checkDeployment, connectOrEmbed, stringifyDeployment, stringifyJson } = await import(
    './library.js'
  );
  const { rpc, json = false, write } = settings;
  const where = rpc === undefined ? 'embedded ledger' : 'cluster';
  let client: HeavenClient;
  let result: Awaited<ReturnType<typeof checkDeployment>>;
  try {
    if (write !== undefined) await assertNewFile('--write', write);
    // The report below mentions the embedded ledger.
    client = await connectOrEmbed(settings, { print: output.print, note: () => {} });
    result = await checkDeployment(client);
    if (write !== undefined) {
      const date = new Date().toISOString().slice(0, 10);
      const found = `found on ${date} by heaven-pools check on the ${where} at slot ${result.slot}`;
      await storeFile(write, stringifyDeployment(result.deployment, found), { isNew: true });
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // Only the library's own messages: others may contain the node's URL and key.
    const { error: told, reason } = await describeFailure(error);
    if (json) output.print(stringifyJson({ error: told }));
    else
      output.note(
        error instanceof CommandError ? printable(reason) : `The ${where} can't be read: ${reason}`,
      );
    return CANNOT_READ;
  }
  const { findings, publishedFees, slot, deployment } = result;
  const isRefuted = [...findings, ...publishedFees].some(({ verdict }) => verdict === 'refuted');
  if (json) output.print(stringifyJson({ where, slot, deployment, findings, publishedFees }));
  else {
    output.print(
      rpc === undefined
        ? 'On the embedded ledger, a model of the exchange by this library: it shows how the check works, and says nothing about a live cluster. Use --rpc.'
        : `On the cluster at slot ${slot}, program ${deployment.programAddress}:`,
    );
    for (const { assumption, assumes, ...found } of findings)
      output.print(line(`${assumption} ${assumes}`, found));
    for (const { configVersion, ...found } of publishedFees)
      output.print(line(`Published fees of config ${configVersion}`, found));
    const changed = deployment.chainlinkProgram !== client.deployment.chainlinkProgram;
    if (changed)
      output.print(`Pass on to createClient: deployment.chainlinkProgram ${deployment.chainlinkProgram}`);
    if (write !== undefined) output.print(`Wrote ${printable(write)}: use it with --deployment.`);
  }
  return isRefuted ? SOMETHING_REFUTED : NOTHING_REFUTED;
}

const line = (what: string, { verdict, detail, shouldBe }: SettledAssumption) =>
  `${what}: ${WORDS[verdict]}: ${detail}${shouldBe === undefined ? '' : `; it should be: ${shouldBe}`}`.replaceAll(
    '\n',
    ' ',
  );
