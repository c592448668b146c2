import * as v from 'valibot';

const Licence = v.union([
  v.object({ license: v.object({ id: v.string() }) }),
  v.object({ license: v.object({ name: v.string() }) }),
  v.object({ expression: v.string() }),
]);
const Component = v.looseObject({
  'bom-ref': v.string(),
  name: v.string(),
  version: v.string(),
  licenses: v.optional(v.array(Licence), []),
});
const Bill = v.looseObject({
  bomFormat: v.literal('CycloneDX'),
  metadata: v.looseObject({}),
  components: v.array(Component),
  dependencies: v.array(v.looseObject({ ref: v.string(), dependsOn: v.optional(v.array(v.string()), []) })),
});
export type Bill = v.InferOutput<typeof Bill>;

type Package = { readonly name: string; readonly version: string };

/**
 * The bill of materials of one released package: of everything that the checkout has installed (a CycloneDX document of
 * `npm sbom`), what the package brings along. Throws where the checkout does not list a part.
 */
export function billOf(
  everything: unknown,
  released: Package & { description: string },
  parts: readonly Package[],
): Bill {
  const all = v.parse(Bill, everything);
  const refOf = ({ name, version }: Package): string => `${name}@${version}`;
  const target = new Set(parts.map(refOf));
  const components = all.components.filter((one) => target.has(refOf(one)));
  const listed = new Set(components.map(refOf));
  const missing = [...target].filter((ref) => !listed.has(ref));
  if (missing.length > 0) throw new Error(`The bill of materials lists no ${missing.join(', ')}.`);
  const remaining = new Set(components.map((one) => one['bom-ref']));
  const between = all.dependencies
    .filter(({ ref }) => remaining.has(ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => remaining.has(ref)) }));
  const root = {
    'bom-ref': refOf(released),
    type: 'application',
    name: released.name,
    version: released.version,
    description: released.description,
    licenses: [{ license: { id: 'Apache-2.0' } }],
  };
  return {
    ...all,
    metadata: { ...all.metadata, component: root },
    components,
    dependencies: [{ ref: root['bom-ref'], dependsOn: [...remaining] }, ...between],
  };
}

/** The packages of a bill under each of their licences, as text. Packages without a known licence are listed last. */
export function licencesOf({ components }: Pick<Bill, 'components'>): string {
  const nameOf = (one: Bill['components'][number]): string => {
    const names = one.licenses.map((found) => {
      if ('expression' in found) return found.expression;
      return 'id' in found.license ? found.license.id : found.license.name;
    });
    return names.length > 0 ? names.join(' AND ') : unknown;
  };
  const unknown = 'not known';
  const order = (name: string) => (name === unknown ? '~' : name);
  return [...Map.groupBy(components, nameOf)]
    .sort(([a], [b]) => (order(a) < order(b) ? -1 : 1))
    .map(([name, found]) => `${name}\n${found.map((one) => `  ${one.name} ${one.version}\n`).join('')}`)
    .join('\n');
}
