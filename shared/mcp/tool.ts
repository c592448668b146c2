import * as v from 'valibot';
import type { Api } from '../client/api.ts';
import { jsonSchema } from '../contract/api/openapi-schema.ts';

/** What a tool works with: the service as the caller, and what is meant where a call names nothing. */
export type ToolContext = {
  readonly api: Api;
  readonly workspace?: string | undefined;
  readonly connector?: string | undefined;
  /** Where that connector was set, for people: a variable, or a profile. */
  readonly connectorFrom?: string | undefined;
};

export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  /** Throws where the service refuses, ValiError where the arguments are not as the schema says. */
  readonly call: (context: ToolContext, input: unknown) => Promise<Answer>;
};

/** Small enough to be read whole: what was found, what was left out, and what to ask next. */
export type Answer = { readonly [key: string]: unknown };

type Arguments = v.GenericSchema<unknown, Readonly<Record<string, unknown>>>;

export const tool = <S extends Arguments>(definition: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: S;
  readonly run: (context: ToolContext, input: v.InferOutput<S>) => Promise<Answer>;
}): Tool => ({
  name: definition.name,
  title: definition.title,
  description: definition.description,
  inputSchema: { ...jsonSchema(definition.input, 'input'), type: 'object' },
  call: (context, input) => definition.run(context, v.parse(definition.input, input)),
});

const text = (description: string, max = 2_000) =>
  v.pipe(v.string(), v.minLength(1), v.maxLength(max), v.description(description));

export const relationText = (description: string) => text(description);
export const optionalText = (description: string) => v.optional(text(description));

export const placeArguments = {
  workspace: optionalText('Id or name of the workspace. Required only if the token has access to several.'),
  connector: optionalText(
    'Id or name of the connector (a database or platform). Required only if several connectors have the relation.',
  ),
};

/** As many as are small to read, and whether there are more. */
export const cut = <T>(items: readonly T[], most: number) => ({
  items: items.slice(0, most),
  left_out: Math.max(0, items.length - most),
});
