import { useQuery } from '@tanstack/react-query';
import { type CollectionProject, type EventShape, eventShapesQuery } from '../api/run-queries.ts';
import { Listed } from '../parts/listed.tsx';
import { texts } from '../texts.ts';

/** The events of a project: names, paths and types of their fields, never a value. */
export function CollectedEvents({ project }: { readonly project: CollectionProject }) {
  const query = useQuery(eventShapesQuery(project.workspace_id, project.id));
  const { shapes, shapesHead: headings, shapesNone: none, isLineage, noLineage } = texts.collection;
  const title = `${shapes}, ${project.name}`;
  return (
    <section>
      <h3>{shapes}</h3>
      <p className="dim">{project.lineage ? isLineage(project.lineage.relations.join(', ')) : noLineage}</p>
      <Listed
        query={query}
        of={{ title, headings, none }}
        needs="admin"
        items={query.data?.items ?? []}
        sortBy={{ event: ({ event }) => event, fields: ({ fields }) => fields.length, noted: (one) => one.weeks_ago }}
        row={(shape) => <ShapeRow key={shape.event} shape={shape} />}
      />
    </section>
  );
}

const ShapeRow = ({ shape: { event, fields, weeks_ago } }: { readonly shape: EventShape }) => (
  <tr>
    <th scope="row">{event}</th>
    <td>
      <details>
        <summary aria-label={`${event}: ${texts.collection.fields(fields.length)}`}>
          {texts.collection.fields(fields.length)}
        </summary>
        <ul className="plain">
          {fields.map(({ path, types }) => (
            <li key={path}>
              <code>{path}</code> <span className="dim">{types.join(' | ') || texts.collection.onlyNull}</span>
            </li>
          ))}
        </ul>
      </details>
    </td>
    <td>{texts.collection.noted(weeks_ago)}</td>
  </tr>
);
