import type { FieldError } from '../../../contract/problems.ts';
import type { Completeness, DeliveryKind } from '../../../contract/vocabulary.ts';
import type { CatalogContext } from '../sources/declared/declared.ts';
import type { ParsedDeclaration } from '../sources/read-body.ts';

/** A request of a declared route: C-DECLARED-1. */
export type AcquisitionBody = Readonly<Record<string, unknown>> & {
  readonly connector_id: string;
  readonly completeness: Completeness;
  readonly source_event_key?: string | undefined;
  readonly force?: boolean | undefined;
};

/** Where evidence of an acquisition belongs. */
export type AcquisitionScope = {
  /** The scope key after `connector:<connector_id>:`. */
  readonly name: string;
  /** Where the body gives the scope, if it does: a complete snapshot must. */
  readonly given: boolean;
  readonly path: string;
};

/** What the intake API reads of a document, without parsing its SQL. */
export type AcquisitionReading<Counts> = Pick<
  ParsedDeclaration<Counts>,
  'itemCount' | 'invalidItems' | 'shapeErrors' | 'otherFile' | 'platforms' | 'counts'
>;

/** What names in a document are resolved against. */
export type AcquisitionPlace = Omit<CatalogContext, 'importSource'>;

export type AcquisitionTool<Body extends AcquisitionBody, Counts> = {
  readonly kind: DeliveryKind;
  readonly displayName: string;
  readonly document: string;
  /** What optional fields mean where they are left out. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  readonly scopeOf: (body: Body) => AcquisitionScope;
  /** The linked project that the body names, if the tool has such. */
  readonly linkedProject: (body: Body) => string | null;
  /** What breaks the shape of the document itself: the request is refused whole. */
  readonly fieldErrors: (body: Body) => readonly FieldError[];
  readonly read: (body: Body, place: AcquisitionPlace) => AcquisitionReading<Counts>;
};
