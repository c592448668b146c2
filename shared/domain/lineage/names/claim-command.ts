export function claimCommand(workspace: string, namespaces: readonly string[]): string {
  const claims = namespaces.map((namespace) => `--add-namespace '${namespace.replaceAll("'", `'\\''`)}'`);
  return `tributary admin connectors update ${workspace} CONNECTOR ${claims.join(' ')}`;
}
