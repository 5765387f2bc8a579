/** What is used of the library that speaks S3, by name: a bundle of it, loaded later, has its names in one object only. */
export {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
