export { FileColumn, type FileColumnOptions } from './column/file.column.js';
export { fileEndpoints, type FileEndpointsOptions } from './endpoints/file.endpoints.js';
export { FileUploads, type FileUploadsOptions } from './endpoints/file.uploads.js';
export { SweepFiles, type SweepFilesOptions } from './endpoints/sweep.files.js';
export { FileRecord, type FileState } from './records/file.record.js';
export {
  FileStorage,
  StorageUnavailable,
  type FileReading,
  type FileUpload,
  type FoundBytes,
  type StoredFile,
} from './storages/file.storage.js';
export { FileImages, type ImageSize, type VariantSource } from './images/file.images.js';
export { ImgproxyImages, imgproxySignature, type ImgproxyImagesOptions } from './images/imgproxy.images.js';
export { SharpImages, type SharpImagesOptions } from './images/sharp.images.js';
export { S3Files, type S3FilesOptions } from './storages/s3.files.js';
export { presigned, type S3Signer, type SignedRequest } from './storages/s3.signature.js';
export { LocalFiles, type LocalFilesOptions } from './storages/local.files.js';
