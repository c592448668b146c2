import * as v from 'valibot';

type Documented = Readonly<Record<string, unknown>> | v.GenericSchema;

/**
 * Says in the API description what a schema takes, where the schema itself cannot: a number that stands as text in a
 * query, a rule that is code, a part that is validated later. Stands last before what transforms.
 */
export const documentedAs = <Input>(
  documented: Documented,
): v.MetadataAction<Input, { readonly documented: Documented }> => v.metadata({ documented });

/** What a part of a pipe says that the schema is documented as, if it does. */
export function documentationOf(part: object): Documented | null {
  if (!('metadata' in part) || typeof part.metadata !== 'object' || part.metadata === null) return null;
  return 'documented' in part.metadata ? (part.metadata.documented as Documented) : null;
}
