import type { FieldError } from '../../../contract/problems.ts';
import type { Completeness, DeliveryKind } from '../../../contract/vocabulary.ts';
import type { Connector } from '../names/connector.ts';
import type { OtherFile } from '../sources/other-file.ts';

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

/** What the intake API counts in a document, without parsing its SQL. */
export type AcquisitionCounts<Counts> = {
  readonly itemCount: number;
  /** Items that cannot be read. */
  readonly refusedItemCount: number;
  readonly shapeErrors: readonly FieldError[];
  /** The file that the document looks like, if it is not the one that the route takes. */
  readonly otherFile?: OtherFile | null;
  /** The counts of the receipt: C-INGEST-1. */
  readonly counts: Counts;
};

/** What names in a document are resolved against. */
export type AcquisitionPlace = {
  /** The request's. */
  readonly connector: Connector;
  /** All of the workspace. */
  readonly connectors: readonly Connector[];
};

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
  /** The platforms that the document tells to be of, as it spells them. */
  readonly platforms: (body: Body) => Iterable<string>;
  readonly count: (body: Body, where: AcquisitionPlace) => AcquisitionCounts<Counts>;
};
