import type { Address } from '@solana/kit';

import { HeavenError } from '../base/errors.js';
import { describe } from '../base/input.js';

/** An instruction's place in a transaction. */
export interface InstructionPosition {
  /** Its top-level instruction, from 0. */
  readonly instructionIndex: number;
  /** Its place in the node's `innerInstructions`, from 0. Missing for a top-level instruction. */
  readonly innerIndex?: number;
  /** 1 for a top-level instruction, 2 for what it calls, and so on. */
  readonly stackHeight: number;
}

/** One run of a program, as the logs tell it. */
export interface Invocation {
  readonly programAddress: Address;
  /** Top-level instructions that log nothing are not counted. */
  readonly position: InstructionPosition;
  /** What it logged after `Program data: `, and where among all lines. */
  readonly lines: readonly { readonly order: number; readonly text: string }[];
}

export interface ReadLogs {
  /** In the order in which they began. */
  readonly invocations: readonly Invocation[];
  /** Lines are missing, and nothing after the first gap was read. */
  readonly truncated: boolean;
  /** A program failed, and so the whole transaction. */
  readonly failed: boolean;
}

// What a program prints itself always starts with 'Program log: ', 'Program data: ' or 'Program return: ', and no
// address has a colon.
const INVOKE = /^Program (\w+) invoke \[(\d+)\]$/;
const END = /^Program (\w+) (?:success|failed: [\s\S]*)$/;
const FAILED = /^Program \w+ failed: /;
const PROGRAM_DATA = 'Program data: ';
/** Shorter lines may still follow it, so that who is running is no longer known. */
const TRUNCATED = 'Log truncated';

/** Follows a transaction's logs from program to program. */
export function readLogs(logs: readonly string[]): ReadLogs {
  if (!Array.isArray(logs)) {
    const missing = logs === null || logs === undefined;
    throw new HeavenError(
      'invalid-input',
      `logs must be a list of lines; got ${describe(logs)}.${missing ? ' The node kept none: ask another one.' : ''}`,
      { field: 'logs', value: logs },
    );
  }
  const invocations: (Invocation & { lines: { order: number; text: string }[] })[] = [];
  const running: (typeof invocations)[number][] = [];
  let topLevel = -1;
  let inner = 0;
  let truncated = false;
  for (const [order, line] of logs.entries()) {
    if (typeof line !== 'string') continue;
    const [, invoked, depth] = INVOKE.exec(line) ?? [];
    const ended = invoked === undefined ? END.exec(line)?.[1] : undefined;
    if (invoked !== undefined) {
      const stackHeight = Number(depth);
      truncated = stackHeight !== running.length + 1;
      if (truncated) break;
      if (stackHeight === 1) {
        topLevel += 1;
        inner = 0;
      }
      const position = {
        instructionIndex: topLevel,
        ...(stackHeight === 1 ? {} : { innerIndex: inner++ }),
        stackHeight,
      };
      const invocation = { programAddress: invoked as Address, position, lines: [] };
      invocations.push(invocation);
      running.push(invocation);
    } else if (ended !== undefined) {
      truncated = running.pop()?.programAddress !== ended;
      if (truncated) break;
    } else if (line === TRUNCATED) {
      truncated = true;
      break;
    } else if (line.startsWith(PROGRAM_DATA)) {
      running.at(-1)?.lines.push({ order, text: line.slice(PROGRAM_DATA.length) });
    }
  }
  return {
    invocations,
    truncated: truncated || running.length > 0,
    failed: logs.some((line) => typeof line === 'string' && FAILED.test(line)),
  };
}
