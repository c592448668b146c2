import * as v from 'valibot';
import { type Wiring, wired } from '../../local/template/wiring.ts';
import type { Right } from './calls.ts';

const Texts = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => [value].flat()),
);
/** Statements of other forms fail the check: an evaluator that skips what it does not know would allow too much. */
const Statement = v.strictObject({
  Effect: v.literal('Allow'),
  Action: Texts,
  Resource: Texts,
  Condition: v.optional(
    v.strictObject({ 'ForAllValues:StringEquals': v.strictObject({ 'dynamodb:LeadingKeys': v.array(v.string()) }) }),
  ),
});
export type Statement = v.InferOutput<typeof Statement>;

const Policy = v.object({ PolicyDocument: v.object({ Statement: v.array(Statement) }), Roles: v.array(v.string()) });
const Role = v.object({
  ManagedPolicyArns: v.optional(v.array(v.unknown()), []),
  Policies: v.optional(v.array(v.unknown()), []),
});
const FunctionWithRole = v.object({
  Role: v.string(),
  Environment: v.object({ Variables: v.object({ POWERTOOLS_SERVICE_NAME: v.string() }) }),
});

/** The statements of each function's role in a template, by the function's name. */
export function statementsByFunction(wiring: Wiring): ReadonlyMap<string, readonly Statement[]> {
  const policies = wired(wiring, 'AWS::IAM::Policy', Policy).map(({ properties }) => properties);
  const roles = new Map(wired(wiring, 'AWS::IAM::Role', Role).map(({ ref, properties }) => [ref, properties]));
  return new Map(
    wired(wiring, 'AWS::Lambda::Function', FunctionWithRole).map(({ properties }) => {
      const role = properties.Role.split('/').at(-1) ?? '';
      const others = roles.get(role);
      if (!others || others.ManagedPolicyArns.length + others.Policies.length > 0)
        throw new Error(`The role ${role} has rights outside its policies.`);
      const own = policies.filter(({ Roles }) => Roles.includes(role));
      return [
        properties.Environment.Variables.POWERTOOLS_SERVICE_NAME,
        own.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
      ];
    }),
  );
}

/** Whether a statement allows a right, as IAM evaluates it. */
export const allows = ({ Action, Resource, Condition }: Statement, { action, resource, leadingKey }: Right): boolean =>
  Action.some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
  Resource.some((pattern) => matches(pattern, resource)) &&
  (Condition === undefined ||
    (leadingKey !== undefined && Condition['ForAllValues:StringEquals']['dynamodb:LeadingKeys'].includes(leadingKey)));

/** `*` is any text in a pattern of IAM, and `?` any character. */
function matches(pattern: string, value: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(value);
}
