import type { PropertySchema, TrackingPlan } from '../../../contract/tracking-plan.ts';
import { withoutIds } from './fold-names.ts';
import { deepestField, type Field, fieldKey } from './shapes.ts';

/** The keys of the events and fields that a tracking plan names (C-COLLINEAGE-3). */
export function plannedFields({ events }: TrackingPlan): ReadonlySet<string> {
  const named = Object.entries(events).flatMap(([name, schema]): Pick<Field, 'event' | 'path'>[] => {
    const event = withoutIds(name);
    const container = name === '$identify' || name === '$group' ? 'traits' : 'properties';
    return ['', ...pathsOf(schema, container, 1)].map((path) => ({ event, path }));
  });
  return new Set(named.map(fieldKey));
}

function pathsOf(schema: PropertySchema, path: string, depth: number): readonly string[] {
  if (typeof schema === 'boolean' || depth > deepestField) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const place = `${path}.${withoutIds(name)}`;
    return [place, ...pathsOf(inner, place, depth + 1)];
  });
}
