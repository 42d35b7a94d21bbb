import protobuf from 'protobufjs/light.js'

/**
 * Messages of the Open Inference Protocol, version 2 (https://github.com/kserve/open-inference-protocol), with the stream
 * that Triton adds. Fields are named by their numbers there; what is not used here is left out and ignored when it comes.
 */
const parameters = { keyType: 'string', type: 'InferParameter', id: 4 }
const root = protobuf.Root.fromJSON({
  nested: {
    InferParameter: {
      oneofs: { choice: { oneof: ['bool_param', 'int64_param', 'string_param', 'double_param', 'uint64_param'] } },
      fields: {
        bool_param: { type: 'bool', id: 1 }, int64_param: { type: 'int64', id: 2 }, string_param: { type: 'string', id: 3 },
        double_param: { type: 'double', id: 4 }, uint64_param: { type: 'uint64', id: 5 },
      },
    },
    InferTensorContents: {
      fields: {
        bool_contents: { rule: 'repeated', type: 'bool', id: 1 }, int_contents: { rule: 'repeated', type: 'int32', id: 2 },
        int64_contents: { rule: 'repeated', type: 'int64', id: 3 }, uint_contents: { rule: 'repeated', type: 'uint32', id: 4 },
        uint64_contents: { rule: 'repeated', type: 'uint64', id: 5 }, fp32_contents: { rule: 'repeated', type: 'float', id: 6 },
        fp64_contents: { rule: 'repeated', type: 'double', id: 7 }, bytes_contents: { rule: 'repeated', type: 'bytes', id: 8 },
      },
    },
    Tensor: {
      fields: {
        name: { type: 'string', id: 1 }, datatype: { type: 'string', id: 2 }, shape: { rule: 'repeated', type: 'int64', id: 3 },
        parameters, contents: { type: 'InferTensorContents', id: 5 },
      },
    },
    RequestedOutput: { fields: { name: { type: 'string', id: 1 }, parameters: { ...parameters, id: 2 } } },
    ModelInferRequest: {
      fields: {
        model_name: { type: 'string', id: 1 }, model_version: { type: 'string', id: 2 }, id: { type: 'string', id: 3 }, parameters,
        inputs: { rule: 'repeated', type: 'Tensor', id: 5 }, outputs: { rule: 'repeated', type: 'RequestedOutput', id: 6 },
        raw_input_contents: { rule: 'repeated', type: 'bytes', id: 7 },
      },
    },
    ModelInferResponse: {
      fields: {
        model_name: { type: 'string', id: 1 }, model_version: { type: 'string', id: 2 }, id: { type: 'string', id: 3 }, parameters,
        outputs: { rule: 'repeated', type: 'Tensor', id: 5 }, raw_output_contents: { rule: 'repeated', type: 'bytes', id: 6 },
      },
    },
    ModelStreamInferResponse: { fields: { error_message: { type: 'string', id: 1 }, infer_response: { type: 'ModelInferResponse', id: 2 } } },
  },
} as never)

export const ModelInferRequest = root.lookupType('ModelInferRequest')
export const ModelInferResponse = root.lookupType('ModelInferResponse')
export const ModelStreamInferResponse = root.lookupType('ModelStreamInferResponse')

export const UNARY = '/inference.GRPCInferenceService/ModelInfer'
export const STREAM = '/inference.GRPCInferenceService/ModelStreamInfer'

/** Plain objects: numbers for 64-bit integers, absent fields as empty. */
export const PLAIN = { longs: Number, arrays: true, defaults: false, bytes: Buffer } as const
