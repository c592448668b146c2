import type { Claim } from '../../shared/contract/claim.ts';
import { claimSentence, limitLines } from '../../shared/contract/claim-words.ts';
import { type Colors, printable } from '../terminal/terminal.ts';

/** The sentence of an answer, and what limits it. */
export const describeClaim = (claim: Claim, style: Colors): string[] => [
  style.bold(`  ${claimSentence(claim)}`),
  ...limitLines(claim).map((line) => style.yellow(`  ${printable(line)}`)),
];
