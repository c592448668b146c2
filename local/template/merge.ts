import { Fault } from '../../shared/contract/problems.ts';
import type { Template, TemplateValue } from './template.ts';

/** Merges stacks: an import becomes a reference. Throws Fault for equal names, or an import without an export. */
export function merge(templates: readonly Template[]): Template {
  const exported = new Map<string, TemplateValue>();
  for (const { Outputs } of templates)
    for (const { Value, Export } of Object.values(Outputs)) if (Export) exported.set(Export.Name, Value);
  const Resources = union(templates.map((template) => template.Resources));
  const Outputs = union(templates.map((template) => template.Outputs));
  return {
    // Only the bootstrap needs it, which a laptop does not have.
    Parameters: {},
    Resources: Object.fromEntries(
      Object.entries(Resources).map(([id, { Properties, ...rest }]) => [
        id,
        { ...rest, Properties: mapValues(Properties, (value) => withImports(value, exported)) },
      ]),
    ),
    Outputs: mapValues(Outputs, (output) => ({ ...output, Value: withImports(output.Value, exported) })),
  };
}

function union<T>(parts: readonly Readonly<Record<string, T>>[]): Record<string, T> {
  const all: Record<string, T> = {};
  for (const [name, value] of parts.flatMap((part) => Object.entries(part))) {
    if (name in all) throw new Fault('template_name_twice', `Two stacks of the tenant have a ${name}.`);
    all[name] = value;
  }
  return all;
}

const mapValues = <T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

function withImports(value: TemplateValue, exported: ReadonlyMap<string, TemplateValue>): TemplateValue {
  if (typeof value !== 'object' || value === null) return value;
  if ('map' in value && Array.isArray(value)) return value.map((item) => withImports(item, exported));
  const { 'Fn::ImportValue': name, ...others } = value as { readonly [key: string]: TemplateValue };
  if (name === undefined) return mapValues(others, (item) => withImports(item, exported));
  const found = exported.get(String(name));
  if (found === undefined) throw new Fault('template_import', `No stack of the tenant exports ${String(name)}.`);
  return found;
}
