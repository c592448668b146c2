// Names the scope that a complete delivery retracts, without its connector: `dbt-project:shop`.

/** The default scope of a partial delivery's evidence: C-DECLARED-3. */
export const unnamed = 'default';

export const dbtScope = (projectId = unnamed): string => `dbt-project:${projectId}`;

export const sqlmeshScope = (projectId: string | undefined, environment: unknown): string =>
  `sqlmesh-project:${apart(projectId ?? unnamed)}:${String(environment)}`;

export const datahubScope = (importSource = unnamed): string => `datahub-source:${importSource}`;

/** A project id with a colon must not be mistaken for a shorter one and the environment behind it. */
const apart = (projectId: string): string => projectId.replaceAll('%', '%25').replaceAll(':', '%3A');
