import { sisImportMessages } from '@lms-admin/contract/messages/sis-import';
import { MAX_SIS_FILE_BYTES } from '@lms-admin/contract/sis-files';
import { sisTableOf } from '@lms-admin/domain/sis-tables';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useProfile } from '../../api/session.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { FileCard } from '../../components/CsvFile/FileCard.tsx';
import { FileDrop } from '../../components/CsvFile/FileDrop.tsx';
import { FilePicker } from '../../components/CsvFile/FilePicker.tsx';
import { useOneFile } from '../../components/CsvFile/useOneFile.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { sizeOf } from '../../components/size-of.ts';
import { UploadIcon } from '../../components/WorkIcons.tsx';
import { FIRST_BYTES, firstCheck } from './first-check.ts';
import { type ChosenFile, FIELDS } from './sis-state.ts';
import { texts } from './texts.ts';
import type { SisStep } from './useSisWork.ts';

/** Step 'Upload Csv': one file by drop or picker, with an immediate first check in the browser (SIS-04, SIS-05). */
export function FileStep({ state, dispatch, work }: SisStep) {
  const limited = useProfile().sub_account.perm !== 'ALL';
  const announce = useAnnounce();

  /** Stores a chosen and checked file, or none; the file itself cannot be stored. */
  function choose(chosen: ChosenFile | null, picked: File | null) {
    work.hold(picked);
    dispatch({ type: 'file', file: chosen });
  }

  const { reading, refusal, take, clear } = useOneFile({
    texts: texts.drop,
    onAside: () => choose(null, null),
    look: async (picked) => {
      const first = new Uint8Array(await picked.slice(0, FIRST_BYTES).arrayBuffer());
      return { name: picked.name, size: picked.size, ...firstCheck(picked, first, limited) };
    },
    onLooked: (chosen, picked) => {
      choose(chosen, picked);
      announce(texts.drop.chosen(chosen.name, chosen.problem ?? (whatItIs(chosen) || fineOf(chosen, false))));
    },
  });

  const { file, lost } = state;
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      {lost !== null && <Notice tone="warning" title={texts.lost[lost.why](lost.name)} />}
      {refusal !== null && <Notice tone="warning" title={refusal} />}
      {file !== null && (
        <FileCard
          name={file.name}
          about={[file.problem === null ? whatItIs(file) : '', file.size === null ? '' : sizeOf(file.size)]
            .filter(Boolean)
            .join(' · ')}
          problem={file.problem}
          fine={fineOf(file, state.prepared !== null)}
          warns={(file.unmatched !== null || file.missing.length > 0) && state.prepared === null}
          remove={[texts.drop.remove, texts.drop.removeOf(file.name)]}
          onRemove={() => {
            clear();
            choose(null, null);
            document.getElementById(FIELDS.file)?.focus();
          }}
        />
      )}
      <FileDrop label={texts.drop.label} low={file !== null} onFiles={take}>
        {file === null && (
          <Box sx={{ color: 'primary.main', lineHeight: 0 }}>
            <UploadIcon size={32} />
          </Box>
        )}
        <Typography>
          {file !== null ? texts.drop.other : limited ? texts.drop.here : texts.drop.hereZip}
        </Typography>
        <FilePicker
          id={FIELDS.file}
          label={sisImportMessages.pick}
          accept=".csv,.txt,.tsv,.zip,text/csv"
          primary={file === null}
          onFiles={take}
        />
        <Typography variant="body2" color="textSecondary">
          {reading ? texts.drop.reading : texts.drop.limit(MAX_SIS_FILE_BYTES)}
        </Typography>
      </FileDrop>
    </Box>
  );
}

function fineOf({ zip, unmatched, missing }: ChosenFile, uploaded: boolean): string {
  if (uploaded) return texts.drop.uploaded;
  if (unmatched !== null) return texts.drop.unmatched(unmatched);
  if (missing.length > 0) return texts.drop.missing(missing);
  return zip ? texts.drop.fitsZip : texts.drop.fits;
}

function whatItIs({ kind, zip }: Pick<ChosenFile, 'kind' | 'zip'>): string {
  if (zip) return texts.drop.zip;
  return kind === null ? '' : sisTableOf(kind).title;
}
