// What each limit of a claim says, what it does to the claim, and what lifts it.
import { adviceOn } from './unresolved-reasons.ts';

/**
 * What a limit does to a claim (C-CLAIM-3): `void`: nothing was evaluated. `late`: the same, but what was found stands.
 * `open`: something may break that was not found. `remark`: it stands beside the sentence, and permits it.
 */
export type Effect = 'void' | 'late' | 'open' | 'remark';

/** `count`: of the subjects, also of those not listed. `detail`: what only the place of the limit knows. */
type Facts = { readonly count: number; readonly detail: string };
export type Meaning = {
  readonly effect: Effect;
  /** The counts are then lower bounds. */
  readonly partial?: true;
  readonly text: (facts: Facts) => string;
  readonly lift: string | ((detail: string) => string) | null;
};

const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const words = (reason: string): string => reason.replaceAll('_', ' ');
const asGiven = ({ detail }: Facts): string => detail;
const olderDelivery = 'Retry, release or correct it, or ignore its gap.';

/** Every limit of a claim: C-CLAIM-4. Codes are stable; texts are not. */
export const meanings = {
  name_not_resolved: {
    effect: 'void',
    text: () => 'The name means no relation of the graph.',
    lift: 'Check the name, and whether its source was delivered.',
  },
  unknown_column: {
    effect: 'void',
    text: ({ count }) => `${many(count, 'column')} of the question ${count === 1 ? 'is' : 'are'} not known.`,
    lift: 'Ask for a known column, or for the whole relation.',
  },
  before_first_evidence: {
    effect: 'void',
    text: ({ detail }) => `There is no evidence of it as of ${detail}.`,
    lift: 'Ask about another time, or check whether its source was delivered.',
  },
  downstream_not_requested: {
    effect: 'void',
    text: () => 'What depends on it was not requested.',
    lift: 'Ask with the direction downstream or both.',
  },
  no_base: { effect: 'void', text: asGiven, lift: null },
  other_project: { effect: 'void', text: asGiven, lift: null },
  nothing_in_common: { effect: 'void', text: asGiven, lift: null },
  no_models: { effect: 'void', text: asGiven, lift: null },
  not_compiled: { effect: 'void', text: asGiven, lift: null },
  base_not_compiled: { effect: 'void', text: asGiven, lift: null },
  check_not_evaluated: { effect: 'void', text: asGiven, lift: null },
  files_not_compared: { effect: 'void', text: asGiven, lift: null },
  evidence_waits: {
    effect: 'late',
    text: ({ detail }) => `Deliveries that were accepted since ${detail} may not be in the graph yet.`,
    lift: 'Ask again in a moment. If it stays so, list the deliveries with the state accepted.',
  },
  cut_by_depth: {
    effect: 'open',
    partial: true,
    text: ({ count, detail }) => `The walk ended at depth ${detail}: at least ${many(count, 'more relation')}.`,
    lift: 'Raise the depth, or ask from a relation at that distance.',
  },
  cut_by_nodes: {
    effect: 'open',
    partial: true,
    text: ({ count, detail }) =>
      `The walk ended after ${detail} relation${detail === '1' ? '' : 's'}: at least ${many(count, 'more relation')}.`,
    lift: 'Raise the number of relations, or ask from a relation at the boundary.',
  },
  cut_by_requests: {
    effect: 'open',
    partial: true,
    text: () => 'The graph is too dense here to be read completely.',
    lift: 'Narrow the question: a smaller depth, or one column.',
  },
  cut_by_size: {
    effect: 'open',
    text: () => 'The answer exceeds the largest response, so parts of its lists are left out.',
    lift: 'Narrow the question.',
  },
  not_followed_further: {
    effect: 'open',
    partial: true,
    text: ({ count }) =>
      `At least ${many(count, 'relation')} downstream ${count === 1 ? 'is' : 'are'} beyond the limits of the walk.`,
    lift: 'Raise the depth and the number of relations.',
  },
  changes_not_followed: {
    effect: 'open',
    partial: true,
    text: ({ count }) =>
      `${many(count, 'change')} of too many ${count === 1 ? 'was' : 'were'} not followed downstream.`,
    lift: 'Compare a smaller change.',
  },
  changes_not_listed: {
    effect: 'open',
    partial: true,
    text: ({ count }) => `${many(count, 'change')} of too many ${count === 1 ? 'is' : 'are'} not listed.`,
    lift: 'Compare a smaller change.',
  },
  compared_in_part: {
    effect: 'open',
    partial: true,
    text: () => 'This is one page of the comparison: only a part of the graph was compared.',
    lift: 'Read the other pages.',
  },
  contents_changed: {
    effect: 'open',
    text: ({ count }) =>
      `${many(count, 'relation')} ${count === 1 ? 'gets' : 'get'} other contents: who reads them outside of the graph is not known.`,
    lift: null,
  },
  full_refresh_needed: {
    effect: 'open',
    text: ({ count }) =>
      `${many(count, 'relation')} ${count === 1 ? 'keeps its' : 'keep their'} columns until a full refresh: the next run may fail, or what reads a new column.`,
    lift: 'Run with --full-refresh, or set on_schema_change. Keep the columns that settings and is_incremental() name.',
  },
  evidence_not_read: {
    effect: 'open',
    partial: true,
    text: () => 'There is more evidence than was read.',
    lift: 'Ask with impact, or about one edge.',
  },
  direct_readers_only: {
    effect: 'open',
    partial: true,
    text: () => 'Only what reads it directly was looked at.',
    lift: 'Ask with impact for all that depends on it.',
  },
  columns_unknown: {
    effect: 'open',
    text: ({ count, detail }) => `Columns of ${many(count, 'relation')} are not known: ${words(detail)}.`,
    lift: adviceOn,
  },
  indirect_left_out: {
    effect: 'open',
    text: () => 'Columns in filters, joins and groupings were left out, as requested.',
    lift: 'Ask with influence all.',
  },
  suppressed_by_policy: {
    effect: 'open',
    text: ({ count }) => `A policy hides ${many(count, 'relation')} on the way.`,
    lift: 'Look at the stale edges, and at the policy of the connector.',
  },
  not_observed_lately: {
    effect: 'open',
    text: ({ count }) => `${many(count, 'relation')} on the way ${count === 1 ? 'was' : 'were'} not observed lately.`,
    lift: 'Look at the stale edges. A rare job needs a larger observed_retention_days of the connector.',
  },
  below_min_confidence: {
    effect: 'open',
    text: ({ count }) =>
      `${many(count, 'edge')} below the requested confidence ${count === 1 ? 'was' : 'were'} left out.`,
    lift: 'Ask with a lower min_confidence.',
  },
  delivery_failed: {
    effect: 'open',
    text: ({ count, detail }) => `${many(count, 'source')} on the way had failed deliveries since ${detail}.`,
    lift: olderDelivery,
  },
  delivery_quarantined: {
    effect: 'open',
    text: ({ count, detail }) => `${many(count, 'source')} on the way had unreadable items since ${detail}.`,
    lift: olderDelivery,
  },
  delivery_held: {
    effect: 'open',
    text: ({ count, detail }) => `${many(count, 'source')} on the way had a snapshot held since ${detail}.`,
    lift: olderDelivery,
  },
  sources_not_checked: {
    effect: 'open',
    text: () => 'There are more sources than were looked at.',
    lift: 'List the sources and their gaps.',
  },
  renamed: {
    effect: 'open',
    text: ({ count }) =>
      `A relation on the way was renamed, and ${many(count, 'other name')} of it ${count === 1 ? 'is' : 'are'} still in use.`,
    lift: 'Ask about the other names too, and correct what still uses the old one.',
  },
  read_by_itself: {
    effect: 'open',
    text: ({ count }) => `The next run of the relation itself needs ${many(count, 'column')} of the question.`,
    lift: 'Keep what unique_key, is_incremental() and other settings name, or change them too and run with --full-refresh.',
  },
  undeclared_read: {
    effect: 'open',
    partial: true,
    text: ({ count }) =>
      `${many(count, 'model')} ${count === 1 ? 'reads' : 'read'} a relation here without declaring it: what depends on ${count === 1 ? 'it' : 'them'} was not followed.`,
    lift: 'Reference the relation with ref(), source() or depends_on, and push again. Ask about the models too.',
  },
  read_without_output: {
    effect: 'open',
    text: ({ count, detail }) =>
      `Jobs, hooks or dashboards that feed nothing known read ${many(count, 'relation')} here (${detail}): what they use ${count === 1 ? 'it' : 'them'} for is not known.`,
    lift: 'Look at them. Report what the jobs write, and send dashboards as exposures.',
  },
  read_before_drop: {
    effect: 'open',
    partial: true,
    text: ({ count }) => `What feeds ${many(count, 'relation')} now is not known: the way from here was dropped.`,
    lift: 'Look at what makes them, and at the relations that were dropped.',
  },
  run_not_complete: {
    effect: 'open',
    text: ({ count, detail }) =>
      `Runs that have not ended name ${many(count, 'relation')} on the way, such as a run of ${detail}: what they read and write does not count yet.`,
    lift: 'Send the event that ends the run (COMPLETE, FAIL or ABORT).',
  },
  runs_not_checked: {
    effect: 'open',
    text: () => 'There are more runs that have not ended than were looked at.',
    lift: 'Send the events that end the runs, or register the streaming jobs as such.',
  },
  project_sent_in_part: {
    effect: 'open',
    text: () => 'The live project was only sent in part, so relations may be missing.',
    lift: 'Push the whole project.',
  },
  other_verdicts: {
    effect: 'remark',
    text: ({ count }) =>
      `The lists leave out ${many(count, 'edge')} without a requested verdict, and what no other edge reaches.`,
    lift: 'Ask for all verdicts.',
  },
  observed_long_ago: {
    effect: 'remark',
    text: ({ count, detail }) =>
      `${many(count, 'relation')} on the way ${count === 1 ? 'was' : 'were'} last observed more than ${detail} days ago.`,
    lift: null,
  },
  source_quiet: {
    effect: 'remark',
    text: ({ count, detail }) =>
      `${many(count, 'source')} ${count === 1 ? 'is' : 'are'} ${detail}: something may be missing.`,
    lift: 'List the sources and their gaps.',
  },
  names_look_alike: {
    effect: 'remark',
    text: ({ count }) =>
      `${many(count, 'other name')} ${count === 1 ? 'looks' : 'look'} like a relation here: what uses ${count === 1 ? 'it' : 'them'} is not counted.`,
    lift: (command) => (command ? `If both are one relation: ${command}` : 'If both are one relation, send one name.'),
  },
  look_alikes_not_compared: {
    effect: 'remark',
    text: ({ count }) =>
      `${many(count, 'more name')} ${count === 1 ? 'looks' : 'look'} like another one, and ${count === 1 ? 'was' : 'were'} not compared with this answer.`,
    lift: 'Join the names that the gap names_look_alike lists.',
  },
  files_only: {
    effect: 'remark',
    text: () => 'Only the files were read: what other projects and runs use is not known.',
    lift: 'Ask the service.',
  },
  service_not_asked: {
    effect: 'remark',
    text: ({ detail }) => `The service was not asked: ${detail}`,
    lift: 'Check with tributary doctor, and try again.',
  },
} as const satisfies Record<string, Meaning>;
