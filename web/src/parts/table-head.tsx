/** The headings of a table's columns. */
export const TableHead = ({ headings }: { readonly headings: readonly string[] }) => (
  <thead>
    <tr>
      {headings.map((heading) => (
        <th key={heading} scope="col">
          {heading}
        </th>
      ))}
    </tr>
  </thead>
);
