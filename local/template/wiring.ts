import * as v from 'valibot';
import { Fault } from '../../shared/contract/fault.ts';
import { type Identities, identify } from './identities.ts';
import { resolve } from './intrinsics.ts';
import { type Resource, resourcesOf, type Template } from './template.ts';

/** A template with its resources named: what the local service is built from. */
export type Wiring = { readonly template: Template; readonly identities: Identities };

export const wire = (template: Template, queueEndpoint: string): Wiring => ({
  template,
  identities: identify(template, queueEndpoint),
});

/** A resource's properties, resolved and read through the schema of what the local service needs of them. */
type Wired<P> = {
  readonly id: string;
  readonly ref: string;
  readonly resource: Resource;
  readonly properties: P;
};

/** Every resource of one type, its properties resolved and validated. */
export function wired<S extends v.GenericSchema>(wiring: Wiring, type: string, schema: S): Wired<v.InferOutput<S>>[] {
  return resourcesOf(wiring.template, type).map(([id, resource]) => {
    const properties = v.safeParse(schema, resolve(wiring.identities, resource.Properties));
    if (!properties.success)
      throw new Fault(
        'template_wiring',
        `${type} ${id} has properties that the local service cannot read: ${v.flatten(properties.issues)}`,
      );
    return { id, ref: wiring.identities.get(id)?.ref ?? id, resource, properties: properties.output };
  });
}

/** The logical id of the resource that an ARN names. */
export function resourceByArn({ identities }: Wiring, arn: string): string {
  for (const [id, { attributes }] of identities) if (attributes['Arn'] === arn) return id;
  throw new Fault('template_arn', `No resource of the template has the ARN ${arn}.`);
}

/** The logical id of the function that an ARN, a URI of an integration or an alias names, or the name itself. */
export const functionNamed = (name: string): string => name.split(':function:').at(-1)?.split(/[:/]/)[0] ?? name;

/** The outputs of the stack, resolved. */
export const outputs = ({ template, identities }: Wiring): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(template.Outputs).map(([name, { Value }]) => [
      name,
      v.parse(v.string(), resolve(identities, Value)),
    ]),
  );
