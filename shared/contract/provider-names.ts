type NamedProvider = {
  readonly id: string;
  readonly display_name: string;
  readonly connector_id: string | null;
};

/** Names that tell providers apart, by id: of those that share one, each gets its connector, and its id if that is the same. */
export function providerNames(
  providers: readonly NamedProvider[],
  connectorName: (id: string) => string | undefined,
): ReadonlyMap<string, string> {
  const detailsOf = ({ id, connector_id }: NamedProvider): readonly string[] => [
    connector_id === null ? 'no connector' : (connectorName(connector_id) ?? connector_id),
    id,
  ];
  const nameOf = (one: NamedProvider, details: number): string => {
    const said = detailsOf(one).slice(0, details).join(', ');
    return said === '' ? one.display_name : `${one.display_name} (${said})`;
  };
  const alike = [0, 1].map((details) => Map.groupBy(providers, (one) => nameOf(one, details)));
  const isClear = (one: NamedProvider, details: number) => alike[details]?.get(nameOf(one, details))?.length === 1;
  return new Map(providers.map((one) => [one.id, nameOf(one, isClear(one, 0) ? 0 : isClear(one, 1) ? 1 : 2)]));
}
