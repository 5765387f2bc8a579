import type { Section } from '@lms-admin/contract/canvas-objects';
import { messages } from '@lms-admin/contract/messages';
import type { EnrollmentStatus } from '@lms-admin/domain/enrollment-plan';
import { counted } from '@lms-admin/domain/numbers';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { styled } from '@mui/material/styles';
import { memo } from 'react';
import { CopyText } from '../../components/CopyText.tsx';
import type { LookupStore } from '../../components/PeopleLookup/lookup-store.ts';
import { PeopleField } from '../../components/PeopleLookup/PeopleField.tsx';
import { useMissing } from '../../components/Wizard/missing-field.ts';
import { fieldId, type Role, type SectionEntry } from './assignments.ts';
import { texts } from './texts.ts';

const STATUSES: readonly EnrollmentStatus[] = ['active', 'deleted'];

// Plain elements, because a course may have a hundred sections. Those out of view are not laid out.
const Card = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: 12,
  padding: 16,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  backgroundColor: theme.vars.palette.background.paper,
  contentVisibility: 'auto',
  containIntrinsicSize: 'auto 150px',
  '&[data-filled=true]': { boxShadow: `inset 3px 0 0 ${theme.vars.palette.primary.main}` },
}));

const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '8px 16px',
  '& h3': { ...theme.typography.h3, margin: 0, overflowWrap: 'anywhere' },
  '& .what': { flex: '1 1 260px', minWidth: 0 },
  '& .quiet': { ...theme.typography.body2, color: theme.vars.palette.text.secondary },
  '& code': { fontFamily: 'var(--lms-mono)', overflowWrap: 'anywhere' },
}));

const Choices = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '8px 16px',
});

const Radios = styled('div')(({ theme }) => ({
  display: 'flex',
  gap: 4,
  borderRadius: 6,
  '&[data-wrong=true]': { outline: `1px solid ${theme.vars.palette.error.main}` },
  '& label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: 6,
    minHeight: 36,
    paddingInline: 6,
    borderRadius: 6,
    cursor: 'pointer',
  },
  '& label:hover': { backgroundColor: theme.vars.palette.surface.rowHover },
  '& input': { width: 18, height: 18, margin: 0, accentColor: theme.vars.palette.primary.main },
}));

export interface SectionCardProps {
  section: Section;
  /** Name of the section on this screen, which is unique: two sections of a course may have the same name. */
  label: string;
  entry: SectionEntry;
  /** The SIS ID that the section gets when the review is submitted; null if it already has one. */
  willGet: string | null;
  roles: readonly Role[];
  lookups: LookupStore;
  /** Whether the role and action can be applied to other sections. */
  canFill: boolean;
  onEdit: (entry: SectionEntry) => void;
  onFill: (entry: SectionEntry) => void;
}

function ActionRadios({ entry, label, onEdit }: Pick<SectionCardProps, 'entry' | 'label' | 'onEdit'>) {
  const id = fieldId(entry.section, 'action');
  const missing = useMissing(id);
  return (
    <Radios
      id={id}
      role="radiogroup"
      aria-label={texts.section.action(label)}
      aria-invalid={missing || undefined}
      data-wrong={missing}
      tabIndex={-1}
    >
      {STATUSES.map((status) => (
        <label key={status}>
          <input
            type="radio"
            name={`section-${entry.section}-status`}
            checked={entry.status === status}
            onChange={() => onEdit({ ...entry, status })}
          />
          {messages.enrollment.actions[status]}
        </label>
      ))}
    </Radios>
  );
}

function PlainCard(props: SectionCardProps) {
  const { section, label, entry, willGet, roles, lookups, canFill, onEdit, onFill } = props;
  const { id, sis_section_id, total_students } = section;
  const filled = entry.people.chips.length > 0 || entry.people.text !== '';
  const titleId = `section-${id}`;
  return (
    <Card aria-labelledby={titleId} data-filled={filled}>
      <Head>
        <div className="what">
          <h3 id={titleId}>{label}</h3>
          <div className="quiet">
            {sis_section_id === null ? (
              <NoSisId text={texts.section.willGet(willGet ?? '')} id={willGet ?? ''} />
            ) : (
              <CopyText text={sis_section_id} label={texts.dialog.sectionId} />
            )}
            {total_students != null &&
              ` · ${texts.section.students(counted(total_students, 'student', 'students'))}`}
          </div>
        </div>
        <Choices>
          <RoleSelect entry={entry} label={label} roles={roles} onEdit={onEdit} />
          <ActionRadios entry={entry} label={label} onEdit={onEdit} />
          {canFill && entry.role !== null && entry.status !== null && (
            <Button
              size="small"
              aria-label={texts.section.forAllOf(label)}
              onClick={() => {
                // The button disappears when pressed.
                document.getElementById(fieldId(id, 'ids'))?.focus();
                onFill(entry);
              }}
            >
              {texts.section.forAll}
            </Button>
          )}
        </Choices>
      </Head>
      <PeopleField
        kind="sis-id"
        id={fieldId(id, 'ids')}
        label={texts.section.idsOf(label)}
        hint={texts.section.hint}
        of={label}
        people={entry.people}
        onChange={(people) => onEdit({ ...entry, people })}
        lookups={lookups}
      />
    </Card>
  );
}

function RoleSelect({
  entry,
  label,
  roles,
  onEdit,
}: Pick<SectionCardProps, 'entry' | 'label' | 'roles' | 'onEdit'>) {
  const missing = useMissing(fieldId(entry.section, 'role'));
  return (
    <NativeSelect
      value={entry.role?.id ?? ''}
      onChange={(event) => {
        const role = roles.find((one) => one.id === Number(event.target.value)) ?? null;
        onEdit({ ...entry, role });
      }}
      error={missing}
      input={<OutlinedInput size="small" />}
      inputProps={{ id: fieldId(entry.section, 'role'), 'aria-label': texts.section.role(label) }}
      sx={{ minWidth: 150 }}
    >
      <option value="">{texts.section.chooseRole}</option>
      {roles.map((role) => (
        <option key={role.id} value={role.id}>
          {role.label}
        </option>
      ))}
    </NativeSelect>
  );
}

/** The sentence, with the ID in a monospaced font. */
function NoSisId({ text, id }: { text: string; id: string }) {
  const [before = '', after = ''] = text.split(id);
  return (
    <span>
      {before}
      <code>{id}</code>
      {after}
    </span>
  );
}

/** One section in a course's dialog: people, role and action (OP-49). A keystroke renders only this section. */
export const SectionCard = memo(PlainCard);
