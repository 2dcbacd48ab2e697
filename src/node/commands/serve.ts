import { type Command, Option } from 'commander';

import { toSnakeCase } from '../../base/case.js';
import { SETTINGS, type ServeSettings, type Setting } from '../serve-settings.js';
import { rpcOption } from './options.js';

/** Declares `heaven-pools serve`. */
export function declare(program: Command): void {
  const command = program
    .command('serve')
    .summary('serve the HTTP interface')
    .description(
      'Serves the HTTP interface: on a cluster with --rpc, otherwise on the embedded ledger and to this machine only.',
    )
    .addOption(rpcOption('the embedded ledger'));
  for (const [name, setting] of Object.entries<Setting<unknown>>(SETTINGS))
    command.addOption(optionOf(name, setting));
  command.action(async (settings: ServeSettings) => (await import('../serve.js')).serve(settings));
}

function optionOf(name: string, setting: Setting<unknown>): Option {
  const { env, help, value, parse, fallback, shown = String(fallback), alias, preset } = setting;
  const flag = `--${toSnakeCase(name).replaceAll('_', '-')} ${preset === undefined ? `<${value}>` : `[${value}]`}`;
  const option = new Option(alias === undefined ? flag : `${alias}, ${flag}`, help)
    .env(env)
    .default(fallback, shown)
    .argParser(parse);
  return preset === undefined ? option : option.preset(preset);
}
