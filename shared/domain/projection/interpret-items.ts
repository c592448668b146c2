import type { QuarantinedItem } from '../../contract/deliveries.ts';
import { contributionOf, type Resolve } from '../sources/openlineage/contribution.ts';
import type { RunEvent } from '../sources/openlineage/event.ts';
import { datasetEventOf, jobEventOf, type StaticLineage } from '../sources/openlineage/static-event.ts';
import { failedItem } from './item-failure.ts';
import type { EventItem } from './read-items.ts';

export type InterpretedItem = { readonly index: number; readonly location: string } & (
  | { readonly kind: 'run'; readonly event: RunEvent; readonly contribution: ReturnType<typeof contributionOf> }
  | { readonly kind: 'static'; readonly declared: StaticLineage }
);

/** What items state, before anything is written of them; one that cannot be interpreted is quarantined by itself. */
export function interpreted(items: readonly EventItem[], resolve: Resolve) {
  const failed: QuarantinedItem[] = [];
  const readable = items.flatMap((item): InterpretedItem[] => {
    const { index, location } = item;
    try {
      return [{ index, location, ...interpretedItem(item, resolve) }];
    } catch {
      failed.push(failedItem(index, location));
      return [];
    }
  });
  return { readable, failed };
}

function interpretedItem(item: EventItem, resolve: Resolve) {
  switch (item.kind) {
    case 'RunEvent':
      return { kind: 'run', event: item.event, contribution: contributionOf(item.event, resolve) } as const;
    case 'JobEvent':
      return { kind: 'static', declared: jobEventOf(item.event, resolve, item.location) } as const;
    case 'DatasetEvent':
      return { kind: 'static', declared: datasetEventOf(item.event, resolve, item.location) } as const;
  }
}
