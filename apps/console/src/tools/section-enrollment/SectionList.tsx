import type { Section } from '@lms-admin/contract/canvas-objects';
import { namedTargets } from '@lms-admin/domain/section-plan';
import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useDeferredValue, useMemo } from 'react';
import { SearchBox } from '../../components/DataTable/SearchBox.tsx';
import type { LookupStore } from '../../components/PeopleLookup/lookup-store.ts';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { entryOf, filledEntries, type Role, type SectionEntry } from './assignments.ts';
import { SectionCard } from './SectionCard.tsx';
import { unsetSections } from './section-state.ts';
import { texts } from './texts.ts';

/** Minimum number of sections for which the list has a search field. */
const SEARCH_FROM = 7;

const Cards = styled('ul')({
  display: 'grid',
  gap: 12,
  gridTemplateColumns: 'minmax(0, 1fr)',
  margin: 0,
  padding: 0,
  listStyle: 'none',
});

export interface SectionListProps {
  sections: readonly Section[];
  /** SIS ID of the course. */
  sisCourseId: string;
  entries: readonly SectionEntry[];
  roles: readonly Role[];
  lookups: LookupStore;
  query: string;
  onQuery: (query: string) => void;
  onEdit: (entry: SectionEntry) => void;
  onFill: (entry: SectionEntry) => void;
}

/** The sections of a course, searchable by name and SIS ID. */
export function SectionList(props: SectionListProps) {
  const { sections, sisCourseId, entries, roles, lookups, query, onQuery, onEdit, onFill } = props;
  const wanted = useDeferredValue(query).trim().toLowerCase();
  const rows = useMemo(() => sections.map((section) => entryOf(entries, section)), [sections, entries]);
  const filled = filledEntries(entries)
    .map(({ section }) => section)
    .join();
  const ids = useMemo(
    () => sisIdsToCome(sections, sisCourseId, filled === '' ? [] : filled.split(',').map(Number)),
    [sections, sisCourseId, filled],
  );
  const labels = useMemo(() => sectionLabels(sections), [sections]);
  const unset = unsetSections(entries, sections).length;
  const shown = sections.flatMap((section, index) => {
    const text = `${section.name}\n${section.sis_section_id ?? ''}`.toLowerCase();
    const entry = rows[index];
    return entry && text.includes(wanted)
      ? [{ section, entry, label: labels.get(section.id) ?? section.name }]
      : [];
  });
  return (
    <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {sections.length >= SEARCH_FROM && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
          <SearchBox label={texts.dialog.search} query={query} onQuery={onQuery} />
          <Typography component="output" variant="body2" color="textSecondary">
            {texts.dialog.found(shown.length, sections.length)}
          </Typography>
        </Box>
      )}
      {shown.length === 0 ? (
        <EmptyState title={texts.dialog.noMatch} />
      ) : (
        <Cards>
          {shown.map(({ section, entry, label }) => (
            <SectionCard
              key={section.id}
              section={section}
              label={label}
              entry={entry}
              willGet={ids.get(section.id) ?? null}
              roles={roles}
              lookups={lookups}
              canFill={unset > 0}
              onEdit={onEdit}
              onFill={onFill}
            />
          ))}
        </Cards>
      )}
    </Box>
  );
}

/** Returns the name of each section; duplicates also get their SIS ID or number. */
function sectionLabels(sections: readonly Section[]): Map<number, string> {
  const counts = new Map<string, number>();
  for (const { name } of sections) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    sections.map(({ id, name, sis_section_id }) => [
      id,
      counts.get(name) === 1 ? name : texts.section.oneOfSeveral(name, sis_section_id ?? String(id)),
    ]),
  );
}

/**
 * Lists the SIS IDs that sections without one would get. Sections with people come first, as in the plan (SE-12,
 * OP-51).
 */
function sisIdsToCome(
  sections: readonly Section[],
  sisCourseId: string,
  filled: readonly number[],
): Map<number, string> {
  const place = new Map(filled.map((id, index) => [id, index]));
  const unnamed = sections
    .filter(({ sis_section_id }) => !sis_section_id)
    .sort((a, b) => (place.get(a.id) ?? filled.length) - (place.get(b.id) ?? filled.length));
  const targets = namedTargets(
    unnamed.map(({ id, name }) => ({ section: { id, name, sisSectionId: null }, sisCourseId })),
    sections.flatMap(({ sis_section_id }) => sis_section_id ?? []),
  );
  return new Map([...targets].map(([id, { sisSectionId }]) => [id, sisSectionId]));
}
