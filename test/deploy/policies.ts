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
    v.union([
      v.strictObject({ 'ForAllValues:StringEquals': v.strictObject({ 'dynamodb:LeadingKeys': Texts }) }),
      v.strictObject({ StringEquals: v.strictObject({ 'kms:ViaService': Texts }) }),
    ]),
  ),
});
export type Statement = v.InferOutput<typeof Statement>;

const Policy = v.object({ PolicyDocument: v.object({ Statement: v.array(Statement) }), Roles: v.array(v.string()) });
const Trust = v.strictObject({
  Action: v.literal('sts:AssumeRole'),
  Effect: v.literal('Allow'),
  Principal: v.strictObject({ Service: v.string() }),
});
const RoleProperties = v.object({
  AssumeRolePolicyDocument: v.object({ Statement: v.tuple([Trust]) }),
  ManagedPolicyArns: v.optional(v.array(v.string()), []),
  // Inline policies would not be looked at.
  Policies: v.optional(v.tuple([]), []),
});

/** A role of a template: who takes it, and what it allows beside the policies of AWS that it names. */
export type Role = {
  readonly service: string;
  readonly statements: readonly Statement[];
  readonly managed: readonly string[];
};

/** The roles of a template by their names. */
export function rolesIn(wiring: Wiring): ReadonlyMap<string, Role> {
  const policies = wired(wiring, 'AWS::IAM::Policy', Policy).map(({ properties }) => properties);
  return new Map(
    wired(wiring, 'AWS::IAM::Role', RoleProperties).map(({ ref, properties }) => {
      const own = policies.filter(({ Roles }) => Roles.includes(ref));
      const role = {
        service: properties.AssumeRolePolicyDocument.Statement[0].Principal.Service,
        statements: own.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
        managed: properties.ManagedPolicyArns.map((arn) => arn.slice(arn.indexOf('/') + 1)),
      };
      return [ref, role];
    }),
  );
}

const FunctionWithRole = v.object({
  Role: v.string(),
  Environment: v.object({ Variables: v.object({ POWERTOOLS_SERVICE_NAME: v.string() }) }),
});

/** The statements of each function's role in a template, by the function's name. */
export function statementsByFunction(wiring: Wiring): ReadonlyMap<string, readonly Statement[]> {
  const roles = rolesIn(wiring);
  return new Map(
    wired(wiring, 'AWS::Lambda::Function', FunctionWithRole).map(({ properties }) => {
      const name = properties.Role.split('/').at(-1) ?? '';
      const role = roles.get(name);
      if (!role || role.managed.length > 0) throw new Error(`The role ${name} has rights outside its policies.`);
      return [properties.Environment.Variables.POWERTOOLS_SERVICE_NAME, role.statements];
    }),
  );
}

/** Whether a statement allows a right, as IAM evaluates it. */
export const allows = (
  { Action, Resource, Condition }: Statement,
  { action, resource, context = {} }: Right,
): boolean =>
  Action.some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
  Resource.some((pattern) => matches(pattern, resource)) &&
  Object.values<Readonly<Record<string, readonly string[]>>>(Condition ?? {}).every((keys) =>
    Object.entries(keys).every(([key, values]) => values.includes(context[key] ?? '')),
  );

/** `*` is any text in a pattern of IAM, and `?` any character. */
function matches(pattern: string, value: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(value);
}
