import { imageMessages } from '@lms-admin/contract/messages/images';
import { IMAGE_ACCEPT } from '@lms-admin/domain/image-files';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { FileDrop } from '../../components/CsvFile/FileDrop.tsx';
import { FilePicker } from '../../components/CsvFile/FilePicker.tsx';
import { UploadIcon } from '../../components/WorkIcons.tsx';
import { PICKER } from './ImageTable.tsx';
import { texts } from './texts.ts';
import type { Taking } from './useTaking.ts';

const words = texts.drop;

/** Step 'Select files': the rules, and the drop area for images (IMG-03, IMG-04). */
export function SelectFiles({ taking, low }: { taking: Taking; low: boolean }) {
  return (
    <>
      <Typography variant="h2">{imageMessages.step}</Typography>
      <Box component="ul" sx={{ m: 0, pl: 2.5, color: 'text.secondary', maxWidth: '68ch' }}>
        {imageMessages.instructions.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </Box>
      <FileDrop label={words.label} low={low} onFiles={(files, folders) => taking.take([...files], folders)}>
        {!low && (
          <Box sx={{ color: 'primary.main', lineHeight: 0 }}>
            <UploadIcon size={32} />
          </Box>
        )}
        <Typography>{words.here}</Typography>
        <FilePicker
          id={PICKER}
          label={words.pick}
          accept={IMAGE_ACCEPT}
          primary={!low}
          multiple
          onFiles={(files) => taking.take([...(files ?? [])])}
        />
        <Typography variant="body2" color="textSecondary">
          {taking.reading ? words.reading : words.limit}
        </Typography>
      </FileDrop>
    </>
  );
}
