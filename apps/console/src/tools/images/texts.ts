/** Texts of ours on the screen of the image uploader, beside the documented ones (contract/messages/images.ts). */
import { IMAGE_MAX_BYTES } from '@lms-admin/domain/image-files';

const n = (count: number) => count.toLocaleString('en-GB');
const images = (count: number) => `${n(count)} ${count === 1 ? 'image' : 'images'}`;
const bytes = (count: number) => `${n(count)} ${count === 1 ? 'byte' : 'bytes'}`;
const KINDS = 'PNG, JPEG, GIF, WebP or ICO';

/** Names in one sentence, cut when they are many. */
function few(names: readonly string[]): string {
  const shown = names.slice(0, 3);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${n(more)} more` : shown.join(', ');
}

export const texts = {
  bytes,
  pasted: 'Pasted image',
  drop: {
    label: 'Select images',
    here: 'Drop images here, paste one, or',
    pick: 'Select images',
    limit: `${KINDS}, each up to 100KB (${n(IMAGE_MAX_BYTES)} bytes).`,
    reading: 'Looking at the files …',
  },
  refused: {
    empty: 'the file is empty.',
    svg: 'SVG images can carry scripts, so they are not taken. Save it as PNG and select that.',
    falseName:
      'it is named like an image, but holds something else. Open it in an image program and save it anew.',
    otherKind: (kind: string) => `${kind} images are not taken. Save it as ${KINDS}.`,
    noImage: `it is no image. ${KINDS} can be uploaded.`,
    folder: 'it is a folder. Open it and select the images in it.',
    unread: 'it could not be read. If it is open in another program, close it there and select it again.',
    twice: 'it is in the list already.',
    full: (most: number) => `the list holds ${n(most)} images. Upload these first, then start over.`,
  },
  added: (count: number, large: number, refused: number) =>
    [
      `${images(count)} added`,
      ...(large > 0 ? [`${n(large)} too large`] : []),
      ...(refused > 0 ? [`${n(refused)} not taken`] : []),
    ].join(', '),
  lost: {
    title: (count: number) =>
      `The page was loaded again before ${count === 1 ? 'an image was' : `${images(count)} were`} uploaded.`,
    titleOnWay: 'The page was loaded again while images were being uploaded.',
    next: (names: readonly string[]) =>
      `Not uploaded: ${few(names)}. Please select ${names.length === 1 ? 'it' : 'them'} again. What had been uploaded by then is among your earlier images.`,
    onWay: (names: readonly string[]) =>
      `On the way at that moment: ${names.join(', ')}. Select again only what does not stand among your earlier images.`,
    dismiss: 'Dismiss',
  },
  large: {
    title: (count: number) => `Too large, not added: ${n(count)}`,
    list: 'Images that are too large',
    offer: 'Shrink to fit',
    offerOf: (name: string) => `Shrink ${name} to fit`,
    offerAll: (count: number) => `Shrink all ${n(count)} to fit`,
    working: 'Shrinking …',
    leave: 'Leave out',
    leaveOf: (name: string) => `Leave out ${name}`,
    leaveAll: 'Leave all out',
    take: 'Add the smaller image',
    takeOf: (name: string) => `Add the smaller ${name}`,
    takeAll: (count: number) => `Add all ${n(count)} smaller images`,
    preview: (name: string) => `The smaller ${name}`,
    size: 'Size',
    pixels: 'Pixels',
    sizes: (from: number, to: number) => `${bytes(from)} → ${bytes(to)}`,
    dimensions: (from: string, to: string) => (from === to ? `${to}, as before` : `${from} → ${to}`),
    renamed: (name: string) => `It is called ${name}.`,
    nothing: 'Your file stays as it is; nothing is added before you press the button.',
    done: (name: string, size: number) => `${name} can be made to fit: ${bytes(size)}`,
    failed: (name: string, why: string) => `${name} cannot be shrunk here: ${why}`,
  },
  shrink: {
    cannot: 'It cannot be shrunk here:',
    unread: 'the file could not be read. Select it again.',
    broken: 'it could not be opened. It may be damaged: save it anew in an image program.',
    icon: 'an ICO file holds several sizes of an icon, of which only one would be left. Save the one you need as PNG.',
    animated:
      'it moves, and a smaller copy would be a still picture. Use an image compressor for animations.',
    pixels: (width: number, height: number) =>
      `it has ${n(width)} × ${n(height)} pixels, more than can be opened here. Make it smaller in an image program.`,
    never: 'it stays too large. Use an image compressor.',
  },
  table: {
    label: 'Images to upload',
    search: 'Search images to upload',
    empty: 'No images are selected yet.',
    emptyNext: 'What you select stands here with a preview. Nothing is uploaded before you press the button.',
    waiting: 'Not uploaded yet',
    uploading: 'Uploading',
    uploadingOf: (name: string) => `Uploading ${name}`,
    storing: 'Storing',
    uploaded: 'Uploaded',
    remove: (name: string) => `Delete ${name}`,
    removed: (name: string) => `${name} is not in the list any more`,
    copy: (name: string, link: string) => `Copy the link of ${name}: ${link}`,
    takenOut: (what: string) => `Taken out: ${what}.`,
    failed: (message: string, next: string) => `${message} ${next}`,
    it: 'It',
    copyAll: 'Copy names and links',
  },
  actions: {
    label: 'Upload',
    nothing: 'No images selected',
    sum: (count: number) => images(count),
    done: (count: number) => `${n(count)} uploaded`,
    failed: (count: number) => `${n(count)} failed`,
    missing: 'Please select at least one image.',
    uploading: (done: number, all: number) => `${n(done)} of ${n(all)}`,
    stage: 'Uploading images',
    stop: 'Stop',
    stopped: 'Stopped. What is uploaded stays; the others wait for the next press.',
    copiedAll: (count: number) =>
      `${n(count)} ${count === 1 ? 'name with its link' : 'names with their links'} copied: paste them into a sheet.`,
    notCopied: (text: string) => `Your browser does not let this page copy. Mark it here: ${text}`,
    notCopiedAll: 'Your browser does not let this page copy. Copy the links one by one.',
    allUploaded: (count: number) =>
      count === 1 ? 'The image is uploaded.' : `All ${images(count)} are uploaded.`,
    someFailed: (count: number) =>
      `${images(count)} could not be uploaded. What to do stands beside ${count === 1 ? 'it' : 'each'}; “Upload Images” tries again.`,
    unread: 'The file could not be sent.',
    unreadNext: 'Delete it here and select it again.',
  },
  startOver: {
    title: 'Stop the upload?',
    text: (done: number, open: number) =>
      `${done === 0 ? 'None of these images is' : `${images(done)} ${done === 1 ? 'is' : 'are'}`} uploaded. ${open === 1 ? 'One is' : `${n(open)} are`} not, and would have to be selected again.`,
    keep: 'What is uploaded stays among your earlier images.',
    stay: 'Go on uploading',
    yes: 'Stop and start over',
  },
  earlier: {
    title: 'Your earlier images',
    label: 'Earlier images',
    search: 'Search earlier images',
    columns: { image: 'Image', name: 'File Name', link: 'Link', size: 'Bytes', when: 'Uploaded' },
    count: (count: number) => images(count),
    pixels: (width: number, height: number) => `${n(width)} × ${n(height)}`,
    more: 'Show more',
    shown: (shown: number, all: number) => `${n(shown)} of ${images(all)} shown`,
    none: 'You have not uploaded any images yet.',
    noneNext: 'Each image that you upload stays here with its link.',
    nothing: (search: string) => `None of your images is called “${search}”.`,
    nothingNext: 'Try fewer letters, or clear the search.',
    failed: 'Your earlier images could not be loaded.',
  },
} as const;
