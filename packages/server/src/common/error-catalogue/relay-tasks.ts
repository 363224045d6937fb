import { at } from './entry.ts'

/** Files, batches, videos and background responses. */
export const RELAY_TASK_ERRORS = {
  'relay.file_unknown': at(404, '没有文件 {id}', 'There is no file {id}'),
  'relay.file_purpose': at(
    400,
    '网关只接受用途为 batch 的文件（purpose: "batch"），收到的是 {purpose}',
    'Only batch files are accepted (purpose: "batch"), not {purpose}',
  ),
  'relay.no_google_files': at(
    400,
    '没有渠道保存 Google 客户端的文件：只有 Google Gemini 渠道可以',
    "No channel stores files of Google's clients: only channels of Google Gemini do",
  ),
  'relay.google_upload': at(
    400,
    '只支持 Google 的可续传上传协议（X-Goog-Upload-Protocol: resumable），Google 的官方客户端使用的就是它',
    "Files are uploaded in Google's resumable protocol (X-Goog-Upload-Protocol: resumable), as Google's own clients do",
  ),
  'relay.google_files_full': at(
    400,
    '您的文件总共不能超过 4 GB：请删除一些，或等待 48 小时后它们被自动删除',
    'Your files may have 4 GB together: delete some, or wait until they are deleted after 48 hours',
  ),
  'relay.files_apart': at(
    400,
    '这次调用引用的文件保存在不同的渠道或密钥下，请重新上传后再一起使用',
    'The files of this call are stored by different channels or keys: upload them again to use them together',
  ),
  'relay.file_elsewhere': at(
    400,
    '这次调用引用的文件所在的渠道不向您提供模型 {model}：请换用该渠道的模型，或直接发送文件内容',
    'The channel that stores the files of this call does not offer you the model {model}: use one of its models, or send the content itself',
  ),
  'relay.file_of_google': at(
    400,
    '文件 {id} 是用 Google 的 API 上传的，只能在该 API 的调用（generateContent）中引用：请改为发送文件内容',
    "The file {id} was uploaded by Google's API and can be used in calls of that API alone (generateContent): send its content instead",
  ),
  'relay.batch_files': at(
    400,
    '批处理中不能引用上传的文件，请改为发送文件内容',
    'Uploaded files cannot be used in batches: send their content instead',
  ),
  'relay.batch_unknown': at(404, '没有批处理 {id}', 'There is no batch {id}'),
  'relay.batch_line': at(
    400,
    '批处理的第 {line} 个请求无效：{reason}',
    'Request {line} of the batch is not valid: {reason}',
  ),
  'relay.batch_endpoint': at(
    400,
    '文件中的请求使用 {endpoint}，批处理的 endpoint 必须与之相同',
    'The requests in the file are for {endpoint}: the endpoint of the batch must be the same',
  ),
  'relay.no_batches': at(
    400,
    '没有渠道能以批处理方式提供这些模型：{models}。支持这种批处理的渠道类型：{types}',
    'No channel offers batches for these models together: {models}. Such batches are taken by channels of {types}',
  ),
  'relay.no_background': at(
    400,
    '模型 {model} 的渠道不支持后台响应：请改用 stream: true，或去掉 background',
    'No channel for the model {model} supports background responses: use stream: true, or omit background',
  ),
  'relay.background_tools': at(
    400,
    '后台响应中不能使用会调用其他模型的工具（绘图、顾问），请去掉 background',
    'Tools that call other models (image generation, advisors) cannot be used in background responses: omit background',
  ),
  'relay.batch_channel_gone': at(
    409,
    '保存它的渠道已停用或不再向您开放，请重新上传文件',
    'The channel that stores it is disabled or no longer available to you: upload the file again',
  ),
  'relay.batch_running': at(
    409,
    '批处理 {id} 尚未结束，请结束后再试',
    'The batch {id} has not finished: try again when it has',
  ),
  'relay.no_videos': at(
    404,
    '模型 {model} 的渠道不能生成视频。支持 /v1/videos 的渠道类型见使用指南',
    'No channel for the model {model} generates videos. Only some channel types support /v1/videos; the guide lists them',
  ),
  'relay.video_unknown': at(404, '没有视频 {id}', 'There is no video {id}'),
  'relay.video_running': at(
    409,
    '视频 {id} 尚未完成，请在其 status 为 completed 后再试',
    'The video {id} is not finished: try again when its status is completed',
  ),
  'relay.video_failed': at(
    400,
    '视频 {id} 生成失败，没有内容',
    'The video {id} failed: there is no content to download',
  ),
  'relay.video_seconds': at(400, 'seconds 只能是以下值：{seconds}', 'seconds must be one of: {seconds}'),
  'relay.video_size': at(400, 'size 只能是以下值：{sizes}', 'size must be one of: {sizes}'),
  'relay.video_channel_gone': at(
    409,
    '生成该视频的渠道已停用、已删除或不再向您开放',
    'The channel that generated the video is disabled, deleted or no longer available to you',
  ),
  'relay.video_no_remix': at(
    400,
    '模型 {model} 的服务商不支持 remix，请重新创建视频',
    'The provider of the model {model} does not support remix: create a new video',
  ),
  'relay.video_variant': at(
    400,
    '该视频的服务商不提供 {variant}，只能下载 video',
    'The provider of this video does not offer {variant}: only video can be downloaded',
  ),
  'relay.no_tasks': at(
    404,
    '模型 {model} 没有可用的 Midjourney Proxy 渠道',
    'No Midjourney Proxy channel offers the model {model}',
  ),
  'relay.task_unknown': at(404, '没有任务 {id}', 'There is no task {id}'),
  'relay.task_no_picture': at(404, '任务 {id} 没有图片', 'The task {id} has no image'),
  'relay.task_channel_gone': at(
    409,
    '执行任务 {id} 的渠道已停用、已删除、不再向您开放，或不提供 {model}',
    'The channel that runs the task {id} is disabled, deleted, no longer available to you, or does not offer {model}',
  ),
  'relay.response_unknown': at(
    404,
    '这里没有响应 {id}：网关只在一小时内为调用者本人保留它自己翻译的响应，设置 store: false 的不保留，服务商自己保存的也不在这里',
    'Unknown response {id}: the gateway keeps only responses it translated, for one hour and for the original caller, unless store was false. Responses stored by the provider are not available here',
  ),
  'relay.response_done': at(
    400,
    '响应 {id} 已经完成，只有后台响应可以取消',
    'The response {id} is complete: only background responses can be cancelled',
  ),
}
