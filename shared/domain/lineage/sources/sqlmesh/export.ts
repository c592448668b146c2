import * as v from 'valibot';
import { jsonPointer } from '../../../../contract/field-errors.ts';
import type { FieldError } from '../../../../contract/problems.ts';
import { isJsonObject } from '../../../base/json/read-json.ts';
import { splitName } from '../../names/relation-ref.ts';
import {
  type DocumentItem,
  type ItemSchemas,
  type ParsedDocument,
  readItems,
  rules,
  string,
  text,
  unstorableErrors,
} from '../declared/declared.ts';

const fqn = v.pipe(
  text,
  v.check((name) => splitName(name) !== null, 'must be a name whose quotes are closed and whose parts are not empty'),
);
const kindColumn = v.fallback(v.nullish(v.string()), null);
/** The name of a kind, or the kind with its settings: those of SCD_TYPE_2 name the columns that it adds. */
const kind = v.nullish(
  v.union(
    [
      v.pipe(
        string,
        v.transform((name) => ({ name, valid_from_name: null, valid_to_name: null })),
      ),
      v.object({ name: string, valid_from_name: kindColumn, valid_to_name: kindColumn }),
    ],
    rules.string,
  ),
);

/** Types by the names of columns; what is no such map is passed over. */
const columns = v.fallback(v.nullish(v.record(v.string(), v.nullable(v.string()))), null);

const Model = v.object(
  {
    fqn,
    kind,
    depends_on: v.array(fqn, rules.array),
    language: v.nullish(string),
    dialect: v.nullish(string),
    rendered_sql: v.nullish(string),
    physical_table: v.nullish(string),
    /** SQLMesh's digest of all that decides the model's data, its file or its code included. */
    data_hash: kindColumn,
    columns,
    columns_to_types: columns,
    /** Those that its settings name, such as a unique key: its next run needs them. */
    own_columns: v.fallback(v.nullish(v.array(v.string())), null),
  },
  rules.object,
);
const External = v.object({ fqn, columns }, rules.object);

export type SqlmeshModel = v.InferOutput<typeof Model>;
type SqlmeshExternal = v.InferOutput<typeof External>;

/** The parts of a SQLMesh export that lineage consists of: planned, unplanned and logical ones. */
export type SqlmeshExport = {
  readonly name: string | null;
  readonly environment: string;
  readonly dialect: string | null;
  readonly models: readonly DocumentItem<SqlmeshModel>[];
  readonly externals: readonly DocumentItem<SqlmeshExternal>[];
};

/** What an item of a member of an export is read by: the others are not read at all. */
export const sqlmeshItems: ItemSchemas = { models: Model, external_models: External, project: v.unknown() };

const root = '/project';
const schemaName = 'service.sqlmesh-project@v1';

const Head = v.object({
  schema: v.literal(schemaName, `must be ${schemaName}`),
  environment: v.pipe(text, v.regex(/\S/, 'must not be blank')),
  models: v.optional(v.array(v.unknown(), rules.array)),
  external_models: v.nullish(v.array(v.unknown(), rules.array)),
  dialect: v.nullish(string),
  project: v.fallback(v.nullish(v.object({ name: v.nullish(v.string()) })), null),
});

/** What breaks the shape of the document itself; the request is then refused whole. */
export function sqlmeshFieldErrors(project: Readonly<Record<string, unknown>>): FieldError[] {
  const read = v.safeParse(Head, project);
  const { environment, dialect, project: named } = project;
  return [
    ...(read.issues ?? []).map((issue) => ({
      path: root + jsonPointer(...(issue.path ?? []).map(({ key }) => String(key))),
      message: issue.received === 'undefined' ? rules.required : issue.message,
    })),
    ...unstorableErrors({ environment, dialect, project: named }, root),
  ];
}

/** Ignores what differs between versions, and checks what retraction needs. Run `sqlmeshFieldErrors` before. */
export function readSqlmeshExport(project: Readonly<Record<string, unknown>>): ParsedDocument<SqlmeshExport> {
  const head = v.parse(Head, project);
  const provided = itemsOf('models', head.models ?? [], 0);
  const givenExternals = itemsOf('external_models', head.external_models ?? [], provided.length);
  const models = readItems(Model, 'invalid_model', provided);
  const externals = readItems(External, 'invalid_external_model', givenExternals);
  const invalidItems = [...models.invalid, ...externals.invalid];
  const missing = head.models ? [] : [{ path: `${root}/models`, message: rules.required }];
  return {
    document: {
      name: head.project?.name ?? null,
      environment: head.environment,
      dialect: head.dialect ?? null,
      models: models.items,
      externals: externals.items,
    },
    itemCount: provided.length + givenExternals.length,
    invalidItems,
    shapeErrors: [...missing, ...invalidItems.flatMap(({ errors }) => errors)],
  };
}

const itemsOf = (list: string, values: readonly unknown[], from: number): DocumentItem<unknown>[] =>
  values.map((value, i) => ({
    key: isJsonObject(value) && typeof value['fqn'] === 'string' ? value['fqn'] : String(i),
    index: from + i,
    place: root + jsonPointer(list, i),
    value,
  }));
