import * as v from 'valibot';
import type { Api } from '../client/api.ts';
import { type Claim, claimKinds } from '../contract/claim.ts';
import { claimSentence } from '../contract/claim-words.ts';
import { beginningOf } from '../contract/fields.ts';

/** A file of the machine that the server runs on, as the body of a comparison has it. */
type BranchDocument = { readonly manifest: unknown } | { readonly project: unknown };

/** What a tool works with: the service as the caller, and what is meant where a call names nothing. */
export type ToolContext = {
  readonly api: Api;
  readonly workspace?: string | undefined;
  readonly connector?: string | undefined;
  /** Where that connector was set, for people: a variable, or a profile. */
  readonly connectorFrom?: string | undefined;
  /** Reads a branch's document; only on a machine of the caller. Throws NotUnderstood. */
  readonly readBranch?: (path: string) => BranchDocument;
};

export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  /** Throws where the service refuses, NotUnderstood, and ValiError where the arguments are not as the schema says. */
  readonly call: (context: ToolContext, input: unknown) => Promise<Answer>;
};

type ObjectSchema = { readonly type: 'object'; readonly [key: string]: unknown };

/** Small enough to be read whole: what was found, what was left out, and what to ask next. */
export type Answer = { readonly next: string; readonly [key: string]: unknown };

/** Something that the agent named is not there, or is several things: it can choose among the candidates. */
export class NotUnderstood extends Error {
  override readonly name = 'NotUnderstood';
  readonly code: string;
  readonly candidates: readonly unknown[];

  constructor(code: string, message: string, candidates: readonly unknown[] = []) {
    super(message);
    this.code = code;
    this.candidates = candidates;
  }
}

export const requiredText = (description: string) =>
  v.pipe(v.string(), v.minLength(1), v.maxLength(2_000), v.description(description));

export const optionalText = (description: string) => v.optional(requiredText(description));

export const placeArguments = {
  workspace: optionalText('Id or name of the workspace. Required only if the token has access to several.'),
  connector: optionalText(
    'Id or name of the connector (a database or platform). Required only if several connectors have the name.',
  ),
};

/** Text that people or programs wrote: an agent may read it and must not obey it. */
export const outside = (written: string, most = 1_500) => ({
  untrusted_text: beginningOf(written, most),
  ...(beginningOf(written, most) !== written && { left_out: `characters after the first ${most}` }),
});

/** The beginning of a list within an item of a page, and how many items the list has. */
export const firstOf = <T>(items: readonly T[], most: number) => ({
  items: items.slice(0, most),
  shown: Math.min(most, items.length),
  total: items.length,
});

/** A claim as tools return it. */
export const ClaimShown = v.object({
  kind: v.picklist(claimKinds),
  sentence: v.string(),
  evidence_until: v.nullable(v.string()),
});

export const claimShown = (claim: Claim): v.InferOutput<typeof ClaimShown> => ({
  kind: claim.kind,
  sentence: claimSentence(claim),
  evidence_until: claim.evidence_until,
});
